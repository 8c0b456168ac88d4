import { useLocation } from 'wouter';
import { useFormats } from '../../lib/format.ts';
import { specialOn, useDayName, useSchoolYear } from '../../lib/school-year.ts';
import { useAccount } from '../../lib/session.ts';
import { sumHours } from '../../lib/sum-hours.ts';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import { Figure } from '../../ui/figure.tsx';
import { type HeatDay, Heatmap, HeatScale, OffSample } from '../../ui/heatmap.tsx';
import { HowCounted } from './how-counted.tsx';
import { statisticsMessages } from './messages.ts';
import type { Statistics } from './statistics-queries.ts';

type Props = {
  statistics: Pick<Statistics, 'daily' | 'total_hours' | 'study_days'>;
  /** The user's own days link to their records. */
  isOwn?: boolean;
  /** Of another person. */
  userId?: number | undefined;
};

/** A year. */
const maxWeeks = 53;

/** The latest weeks as a heatmap. */
export function Days({ statistics: { daily, total_hours, study_days }, isOwn = false, userId }: Props) {
  const t = useTexts(statisticsMessages);
  const formats = useFormats('UTC'); // days have no time
  const { week_start } = useAccount();
  const [, navigate] = useLocation();
  // Whole weeks: each column begins on the user's first day of the week.
  const first = new Date(daily[0]?.date ?? 0).getUTCDay();
  const whole = daily.slice((week_start - first + 7) % 7);
  const { days: special } = useSchoolYear(isOwn || userId === undefined ? {} : { user_id: userId });
  const nameOf = useDayName();
  const days = whole.slice(7 * Math.max(0, Math.ceil(whole.length / 7) - maxWeeks)).map((day): HeatDay => {
    const found = specialOn(special, day.date);
    return { ...day, isOff: found !== undefined && found.kind !== 'school_day' };
  });
  function describe(marked: readonly HeatDay[]): string {
    const [from = '', to = ''] = [marked[0], marked.at(-1)].map((day) => formats.date(day?.date ?? ''));
    const hours = sumHours(marked.map((day) => day.hours));
    const date = from === to ? from : t('days_range', { from, to });
    const text = t(hours > 0 ? 'day_hours' : 'day_none', { date, hours: formats.hours(hours) });
    const found = marked.length === 1 ? specialOn(special, marked[0]?.date ?? '') : undefined;
    return found === undefined ? text : t('day_special', { text, what: nameOf(found) });
  }
  const rows = days
    .filter((day) => day.hours > 0)
    .toReversed()
    .map(({ date, hours }) => [date, formats.date(date), formats.hours(hours)] as const);
  const [best] = days.filter(({ hours }) => hours > 0).sort((a, b) => b.hours - a.hours);
  // The exact total, if these are all days of study.
  const total = rows.length === study_days ? total_hours : sumHours(days.map(({ hours }) => hours));
  // In the head of the card, on phones below the squares: styles show one of them.
  const scale = <HeatScale days={days} moreThan={(hours) => t('or_more', { hours: formats.hours(hours) })} />;
  const firstDay = days[0]?.date ?? '';
  return (
    <Figure
      title={t('days_chart')}
      context={t('days_total', {
        dates: formats.dates(firstDay, days.at(-1)?.date ?? firstDay),
        hours: formats.hours(total),
        count: rows.length,
      })}
      head={[t('day'), t('time')]}
      rows={rows}
      about={
        <>
          {scale}
          {days.some(({ isOff }) => isOff) && <OffSample>{t('off_days')}</OffSample>}
          <HowCounted figure="days" name={t('days_chart')} />
        </>
      }
    >
      <Heatmap
        days={days}
        label={isOwn ? t('days_label_own') : t('days_label')}
        describe={describe}
        summary={best === undefined ? '' : t('best_day', { day: describe([best]) })}
        monthOf={formats.month}
        weekdayOf={formats.weekdayShort}
        {...(isOwn && { onChoose: (from, to) => navigate(`${href('records')}?view=list&from=${from}&to=${to}`) })}
      >
        {scale}
      </Heatmap>
    </Figure>
  );
}
