import { useFormats } from '../../lib/format.ts';
import { sumHours } from '../../lib/sum-hours.ts';
import { useTexts } from '../../lib/texts.ts';
import { Select } from '../../ui/field.tsx';
import { Figure } from '../../ui/figure.tsx';
import { HowCounted } from './how-counted.tsx';
import { statisticsMessages } from './messages.ts';
import type { Statistics } from './statistics-queries.ts';
import { WeeksChart } from './weeks-chart.tsx';

const choices = [12, 26, 52];

/** The number of weeks from the URL. */
export const weeksOf = (text: string | null): number => choices.find((count) => String(count) === text) ?? 12;

/** The first day of an ISO week such as 2026-W05; 4 January is always in the first week. */
function mondayOf(week: string): string {
  const [year, number] = week.split('-W').map(Number);
  const fourth = new Date(Date.UTC(year ?? 0, 0, 4));
  const monday = 4 - ((fourth.getUTCDay() + 6) % 7) + 7 * ((number ?? 1) - 1);
  return new Date(Date.UTC(year ?? 0, 0, monday)).toISOString();
}
const sundayOf = (week: string) => new Date(Date.parse(mondayOf(week)) + 6 * 86_400_000).toISOString();

type Props = { weekly: Statistics['weekly_progress']; shown: number; onShow: (count: number) => void };

export function Weeks({ weekly, shown, onShow }: Props) {
  const t = useTexts(statisticsMessages);
  const formats = useFormats('UTC');
  const columns = weekly.map(({ week, hours }) => ({
    ...{ from: mondayOf(week), to: sundayOf(week), hours },
    parts: [hours],
  }));
  const total = sumHours(weekly.map(({ hours }) => hours));
  const most = formats.hours(Math.max(0, ...weekly.map(({ hours }) => hours)));
  const rows = weekly
    .toReversed()
    .map(({ week, hours }) => [week, formats.dates(mondayOf(week), sundayOf(week)), formats.hours(hours)] as const);
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
      <WeeksChart
        series={[{ key: 'hours', name: t('time'), color: 1 }]}
        total={total}
        totals={[total]}
        columns={columns}
        label={t('weeks_label', { count: columns.length, most })}
        isOwn={false}
      />
    </Figure>
  );
}
