import { Flame } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { useFormats } from '../../lib/format.ts';
import { useMarks } from '../../lib/marks.ts';
import { useAccount } from '../../lib/session.ts';
import { secondsOf } from '../../lib/study-days.ts';
import { useTexts } from '../../lib/texts.ts';
import { useWidth } from '../../lib/use-width.ts';
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
  /** Below the days. */
  children: ReactNode;
};

/** The days of this week by project. */
export function WeekCard({ week, hueOf, goalHours, children }: Props) {
  const t = useTexts(todayMessages);
  const marks = useMarks();
  const formats = useFormats('UTC'); // dates have no time
  const { daily_goal_minutes: goal } = useAccount();
  const totals = week.dates.map(({ parts }) => secondsOf(parts));
  const most = Math.max(...totals, (goal ?? 0) * 60, 3600);
  const height = 72;
  const y = (seconds: number) => (seconds / most) * height;
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const step = width / 7;
  const bar = Math.min(36, step / 2);
  const said = week.dates.map(({ date }, index) => `${formats.weekday(date)} ${formats.duration(totals[index] ?? 0)}`);
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
      <div ref={box} className={styles.bars}>
        <svg width={width} height={height + 20} role="img" aria-label={marks.facts(said)}>
          {week.dates.map(({ date, parts }, index) => {
            let top = height;
            const left = index * step + (step - bar) / 2;
            return (
              <g key={date}>
                <rect className={styles.track} x={left} y="0" width={bar} height={height} rx="3" />
                {parts.map(({ id, seconds }) => {
                  top -= y(seconds);
                  return (
                    <rect
                      key={id}
                      className={styles.fill}
                      data-hue={hueOf(id)}
                      x={left}
                      y={top}
                      width={bar}
                      height={Math.max(1, y(seconds) - 1.5)}
                      rx="2"
                    />
                  );
                })}
                <text
                  className={date === week.today ? styles.axisNow : styles.axis}
                  x={left + bar / 2}
                  y={height + 15}
                  textAnchor="middle"
                >
                  {formats.weekdayLetter(date)}
                </text>
              </g>
            );
          })}
          {goal !== null && (
            <line className={styles.goalLine} x1="0" x2={width} y1={height - y(goal * 60)} y2={height - y(goal * 60)} />
          )}
        </svg>
      </div>
      {children}
    </Card>
  );
}

type StreakProps = {
  days: number;
  studiedToday: boolean;
  /** Without the explanation, for which there is no space. */
  isShort: boolean;
};

/** The days in a row, and whether today is one of them. */
export function Streak({ days, studiedToday, isShort }: StreakProps) {
  const t = useTexts(todayMessages);
  const hint = studiedToday ? 'safe' : days === 0 ? 'begin' : 'not_yet';
  return (
    <p className={styles.streak}>
      <Flame size={18} aria-hidden="true" />
      <strong>{t('streak_days', { count: days })}</strong>
      <span className={styles.muted}>{t(hint)}</span>
      {!isShort && <HowCounted figure="streak" name={t('streak')} />}
    </p>
  );
}
