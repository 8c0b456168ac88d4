import { Link } from 'wouter';
import { useFormats } from '../../lib/format.ts';
import { specialOn, useDayName, useSchoolYear } from '../../lib/school-year.ts';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import { recordMessages } from './messages.ts';
import { useRecordsBetween } from './session-queries.ts';
import type { Calendar } from './use-calendar.ts';
import styles from './week-agenda.module.css';

/** The days of the week of a day, each with its share of the daily goal, or of the longest day. */
export function WeekStrip({ calendar: { days, dates, week, now } }: { calendar: Calendar }) {
  const t = useTexts(recordMessages);
  const plain = useFormats('UTC'); // dates have no time
  const { id, daily_goal_minutes: goal } = useAccount();
  const [first = '', last = ''] = [week[0], week.at(-1)];
  const [from, to] = [days.startOf(first), days.startOf(days.plus(last, 1))];
  const { data = [] } = useRecordsBetween(id, new Date(from).toISOString(), new Date(to).toISOString());
  const hours = week.map((date) => {
    const [start, end] = [days.startOf(date), days.startOf(days.plus(date, 1))];
    return data.reduce((sum, { started_at, ended_at }) => {
      const ended = ended_at === null ? now : Date.parse(ended_at);
      return sum + Math.max(0, Math.min(end, ended) - Math.max(start, Date.parse(started_at)));
    }, 0);
  });
  const { days: special } = useSchoolYear();
  const nameOf = useDayName();
  const whole = goal === null ? Math.max(...hours, 1) : goal * 60_000;
  return (
    <nav className={styles.week} aria-label={t('days_of_week')}>
      {week.map((date, index) => (
        <Link
          key={date}
          href={`${href('records')}?view=day&on=${date}`}
          aria-current={date === dates[0] ? 'date' : undefined}
          aria-label={[
            `${plain.weekdayShort(date)} ${plain.dayOfMonth(date)}`,
            plain.longDay(date),
            ...((hours[index] ?? 0) > 0 ? [plain.duration((hours[index] ?? 0) / 1000)] : []),
            ...[specialOn(special, date)].flatMap((found) => (found === undefined ? [] : nameOf(found))),
          ].join(', ')}
        >
          <span>
            {plain.weekdayShort(date)} <strong>{plain.dayOfMonth(date)}</strong>
          </span>
          <span
            className={styles.share}
            data-off={(specialOn(special, date)?.kind ?? 'school_day') === 'school_day' ? undefined : ''}
          >
            <span style={{ width: `${Math.min(100, ((hours[index] ?? 0) / whole) * 100)}%` }} />
          </span>
        </Link>
      ))}
    </nav>
  );
}
