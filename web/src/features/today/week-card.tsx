import { Flame } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { Link } from 'wouter';
import { cx } from '../../lib/cx.ts';
import { useFormats } from '../../lib/format.ts';
import { useMarks } from '../../lib/marks.ts';
import { specialOn, useDayName, useSchoolYear } from '../../lib/school-year.ts';
import { useAccount } from '../../lib/session.ts';
import { secondsOf } from '../../lib/study-days.ts';
import { useTexts } from '../../lib/texts.ts';
import { useWidth } from '../../lib/use-width.ts';
import { href } from '../../routes.ts';
import { Card } from '../../ui/page.tsx';
import type { Week } from '../plan/week-queries.ts';
import { HowCounted } from '../statistics/how-counted.tsx';
import { todayMessages } from './messages.ts';
import styles from './week.module.css';

type Props = {
  week: Week;
  hueOf: (id: number) => number;
  /** The weekly goal in seconds; 0 without one. */
  goal: number;
  /** Below the days. */
  children: ReactNode;
};

const height = 72;

/** The days of this week by project; each leads to its records. */
export function WeekCard({ week, hueOf, goal, children }: Props) {
  const t = useTexts(todayMessages);
  const marks = useMarks();
  const formats = useFormats('UTC'); // dates have no time
  const { daily_goal_minutes: daily } = useAccount();
  const { days: special } = useSchoolYear();
  const nameOf = useDayName();
  const totals = week.days.map(({ parts }) => secondsOf(parts));
  const total = totals.reduce((sum, seconds) => sum + seconds, 0);
  const aDay = daily === null ? goal / 7 : daily * 60;
  const most = Math.max(...totals, aDay * 1.15, 3600);
  const y = (seconds: number) => (seconds / most) * height;
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const step = width / 7;
  const bar = Math.min(36, step / 1.6);
  const left = week.days.filter(({ date }) => date >= week.today.date).length;
  return (
    <Card
      title={t('week')}
      actions={
        <span className={styles.muted}>
          <Link href={href('mySettings', { part: 'study' })}>
            {goal > 0 ? t('week_goal', { goal: formats.duration(goal) }) : t('set_week_goal')}
          </Link>
          <HowCounted figure="this_week" name={t('week')} />
        </span>
      }
      className={styles.week}
    >
      <p className={styles.figure}>
        <strong>{formats.duration(total)}</strong>{' '}
        {goal > 0 && (
          <span className={styles.muted}>
            {total >= goal
              ? t('week_reached')
              : marks.facts([t('week_left', { duration: formats.duration(goal - total) }), t('days', { count: left })])}
          </span>
        )}
      </p>
      <div ref={box} className={styles.bars}>
        {/* biome-ignore lint/a11y/noSvgWithoutTitle: each day in it is a link with a name */}
        <svg width={width} height={height + 20}>
          <pattern id="day-off" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <line className={styles.hatch} x1="0" x2="0" y1="0" y2="6" />
          </pattern>
          {week.days.map(({ date, parts }, index) => {
            let top = height;
            const from = index * step + (step - bar) / 2;
            const isToday = date === week.today.date;
            const found = specialOn(special, date);
            const isOff = found !== undefined && found.kind !== 'school_day';
            return (
              <g key={date}>
                <Link
                  href={`${href('records')}?view=day&on=${date}`}
                  aria-label={[
                    `${formats.weekday(date)} ${formats.duration(totals[index] ?? 0)}`,
                    ...(found === undefined ? [] : [nameOf(found)]),
                  ].join(', ')}
                >
                  <rect className={styles.hit} x={index * step} y="0" width={step} height={height + 20} />
                  <rect className={styles.track} x={from} y="0" width={bar} height={height} rx="3" />
                  {isOff && <rect fill="url(#day-off)" x={from} y="0" width={bar} height={height} rx="3" />}
                  {parts.map(({ id, seconds }) => {
                    top -= y(seconds);
                    return (
                      <rect
                        key={id}
                        className={styles.fill}
                        data-hue={hueOf(id)}
                        x={from}
                        y={top}
                        width={bar}
                        height={Math.max(1, y(seconds) - 1.5)}
                        rx="2"
                      />
                    );
                  })}
                  <text
                    className={isToday ? styles.axisNow : styles.axis}
                    x={from + bar / 2}
                    y={height + 15}
                    textAnchor="middle"
                  >
                    {formats.weekdayLetter(date)}
                  </text>
                </Link>
              </g>
            );
          })}
          {aDay > 0 && (
            <g>
              <line className={styles.goalLine} x1="0" x2={width} y1={height - y(aDay)} y2={height - y(aDay)} />
              <text className={cx(styles.axisNow, styles.goal)} x={width} y={height - y(aDay) - 5} textAnchor="end">
                {t('a_day', { duration: formats.duration(aDay) })}
              </text>
            </g>
          )}
        </svg>
      </div>
      {children}
    </Card>
  );
}

type StreakProps = { days: number; studiedToday: boolean };

/** The days in a row, and whether today is one of them. */
export function Streak({ days, studiedToday }: StreakProps) {
  const t = useTexts(todayMessages);
  const hint = studiedToday ? 'counts' : days === 0 ? 'begin' : 'not_yet';
  return (
    <p className={styles.streak}>
      {days > 0 && <Flame size={18} />}
      {days > 0 && <strong>{t('streak_days', { count: days })}</strong>}
      <span className={styles.muted}>{t(hint)}</span>
      <HowCounted figure="streak" name={t('streak')} />
    </p>
  );
}
