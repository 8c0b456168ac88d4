import { Flame } from 'lucide-react';
import { useFormats } from '../../lib/format.ts';
import { useAccount } from '../../lib/session.ts';
import { secondsOf } from '../../lib/study-days.ts';
import { useTexts } from '../../lib/texts.ts';
import { Card } from '../../ui/page.tsx';
import { HowCounted } from '../statistics/how-counted.tsx';
import { todayMessages } from './messages.ts';
import styles from './today.module.css';
import type { Week } from './today-queries.ts';

type Props = {
  week: Week;
  hueOf: (id: number) => number;
  /** The sum of the projects' weekly goals. */
  goalHours: number;
  streak: number;
  studiedToday: boolean;
};

/** The days of this week by project, and the streak. */
export function WeekCard({ week, hueOf, goalHours, streak, studiedToday }: Props) {
  const t = useTexts(todayMessages);
  const formats = useFormats('UTC'); // dates have no time
  const { daily_goal_minutes: goal } = useAccount();
  const totals = week.dates.map(({ parts }) => secondsOf(parts));
  const most = Math.max(...totals, (goal ?? 0) * 60, 3600);
  const height = 72;
  const y = (seconds: number) => (seconds / most) * height;
  const [step, bar] = [40, 20];
  const said = week.dates.map(({ date }, index) => `${formats.weekday(date)} ${formats.duration(totals[index] ?? 0)}`);
  const streakHint = streak === 0 && !studiedToday ? 'begin' : studiedToday ? 'safe' : 'not_yet';
  return (
    <Card
      title={t('week')}
      actions={
        goalHours > 0 ? (
          <span className={styles.muted}>{t('week_goal', { goal: formats.hours(goalHours) })}</span>
        ) : undefined
      }
      className={styles.week}
    >
      <p className={styles.figure}>
        {formats.duration(totals.reduce((sum, seconds) => sum + seconds, 0))}{' '}
        <HowCounted figure="this_week" name={t('week')} />
      </p>
      <svg className={styles.bars} viewBox={`0 0 ${7 * step} ${height + 20}`} role="img" aria-label={said.join(', ')}>
        {week.dates.map(({ date, parts }, index) => {
          let top = height;
          return (
            <g key={date}>
              <rect className={styles.track} x={index * step + 10} y="0" width={bar} height={height} rx="3" />
              {parts.map(({ id, seconds }) => {
                top -= y(seconds);
                return (
                  <rect
                    key={id}
                    className={styles.fill}
                    data-hue={hueOf(id)}
                    x={index * step + 10}
                    y={top}
                    width={bar}
                    height={Math.max(1, y(seconds) - 1.5)}
                    rx="2"
                  />
                );
              })}
              <text
                className={date === week.today ? styles.axisNow : styles.axis}
                x={index * step + 10 + bar / 2}
                y={height + 15}
                textAnchor="middle"
              >
                {formats.weekdayLetter(date)}
              </text>
            </g>
          );
        })}
        {goal !== null && (
          <line
            className={styles.goalLine}
            x1="0"
            x2={7 * step}
            y1={height - y(goal * 60)}
            y2={height - y(goal * 60)}
          />
        )}
      </svg>
      <p className={styles.streak}>
        <Flame size={18} aria-hidden="true" />
        <strong>{t('streak_days', { count: streak })}</strong>
        <span className={styles.muted}>{t(streakHint)}</span>
        <HowCounted figure="streak" name={t('streak')} />
      </p>
    </Card>
  );
}
