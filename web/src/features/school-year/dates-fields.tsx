import { fieldProblem } from '../../lib/problem.ts';
import { useTexts } from '../../lib/texts.ts';
import { DayField } from '../../ui/day-field.tsx';
import { schoolYearMessages } from './messages.ts';
import { latest } from './year.ts';

type Dates = { from: string; to: string };
type Props<Fields extends Dates> = {
  fields: Fields;
  onChange: (changed: Dates) => void;
  error: unknown;
  /** The form was sent with an empty field. */
  isMissing?: boolean;
};

/** The first and the last day. A first day after the last one moves it. */
export function DatesFields<Fields extends Dates>({ fields, onChange, error, isMissing = false }: Props<Fields>) {
  const t = useTexts(schoolYearMessages);
  const { from, to } = fields;
  const missing = isMissing && from === '' ? t('day_needed') : undefined;
  return (
    <>
      <DayField
        label={t('from')}
        value={from}
        onChange={(day) => onChange({ from: day, to: latest(day, to) })}
        error={missing ?? fieldProblem(error, 'from')}
      />
      <DayField
        label={t('to')}
        value={to}
        onChange={(day) => onChange({ from: from === '' ? day : from, to: day })}
        error={fieldProblem(error, 'to')}
      />
    </>
  );
}
