import { useFormats } from '../../lib/format.ts';
import { useTexts } from '../../lib/texts.ts';
import { Bars } from '../../ui/bars.tsx';
import { Select } from '../../ui/field.tsx';
import { Figure } from '../../ui/figure.tsx';
import { HowCounted } from './how-counted.tsx';
import { statisticsMessages } from './messages.ts';
import type { Statistics } from './statistics-queries.ts';

const choices = [12, 26, 52];

/** The number of weeks from the URL. */
export const weeksOf = (text: string | null): number => choices.find((count) => String(count) === text) ?? 12;

type Props = { weekly: Statistics['weekly_progress']; shown: number; onShow: (count: number) => void };

export function Weeks({ weekly, shown, onShow }: Props) {
  const t = useTexts(statisticsMessages);
  const formats = useFormats('UTC');
  const bars = weekly.map(({ week, hours }) => ({
    key: week,
    label: week.replace(/^\d+-W0?/, ''),
    value: hours,
    text: formats.number(hours),
  }));
  const most = formats.hours(Math.max(0, ...weekly.map(({ hours }) => hours)));
  const rows = weekly.toReversed().map(({ week, hours }) => [week, week, formats.hours(hours)] as const);
  return (
    <Figure
      title={t('weeks_chart')}
      head={[t('week'), t('time')]}
      rows={rows}
      about={
        <>
          <HowCounted figure="weeks" name={t('weeks_chart')} />
          <Select
            label={t('weeks_shown')}
            isLabelHidden
            value={String(shown)}
            onChange={(count) => onShow(Number(count))}
            options={choices.map((count) => [String(count), t('last_weeks', { count })])}
          />
        </>
      }
    >
      <Bars label={t('weeks_label', { count: bars.length, most })} bars={bars} />
    </Figure>
  );
}
