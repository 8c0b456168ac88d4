import { fieldProblem } from '../../lib/problem.ts';
import { useTexts } from '../../lib/texts.ts';
import type { DateRange } from '../../lib/written-dates.ts';
import { RangeField } from '../../ui/day-field.tsx';
import { schoolYearMessages } from './messages.ts';

type Props = {
  fields: DateRange;
  onChange: (changed: DateRange) => void;
  error: unknown;
  /** The form was sent with an empty field. */
  isMissing?: boolean;
};

/** The first and the last day. */
export function DatesField({ fields: { from, to }, onChange, error, isMissing = false }: Props) {
  const t = useTexts(schoolYearMessages);
  const missing = isMissing && from === '' ? t('day_needed') : undefined;
  return (
    <RangeField
      label={t('dates_field')}
      value={{ from, to }}
      onChange={onChange}
      error={missing ?? fieldProblem(error, 'from') ?? fieldProblem(error, 'to')}
    />
  );
}
