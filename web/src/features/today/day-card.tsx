import { type ReactNode, useRef } from 'react';
import { Link } from 'wouter';
import { formatClock, useFormats } from '../../lib/format.ts';
import { useMarks } from '../../lib/marks.ts';
import { useAccount } from '../../lib/session.ts';
import { isChinese, useSettings } from '../../lib/settings.ts';
import { byProject, type Part, secondsOf } from '../../lib/study-days.ts';
import { useTexts } from '../../lib/texts.ts';
import { useWidth } from '../../lib/use-width.ts';
import { href } from '../../routes.ts';
import { Card } from '../../ui/page.tsx';
import { useTimer } from '../timer/timer-queries.ts';
import { todayMessages } from './messages.ts';
import styles from './today.module.css';
import type { Week } from './today-queries.ts';

type Props = { week: Week; hueOf: (id: number) => number };

/** How much of today's goal is done, with the day as a band and as a ring. */
export function DayCard({ week, hueOf, children }: Props & { children: ReactNode }) {
  const t = useTexts(todayMessages);
  const { daily_goal_minutes: goal, timezone } = useAccount();
  const formats = useFormats(timezone);
  const { data: timer } = useTimer();
  const { locale } = useSettings();
  const parts = byProject(week.ofToday);
  const done = secondsOf(parts);
  const left = goal === null ? undefined : goal * 60 - done;
  const said =
    left === undefined
      ? done === 0
        ? t('nothing_yet')
        : t('so_far', { duration: formats.duration(done) })
      : left > 0
        ? t('to_go', { duration: formats.duration(Math.ceil(left / 60) * 60) })
        : t('goal_reached');
  // Inside the ring Chinese durations are too long.
  const ringTime = (seconds: number) =>
    isChinese(locale) && seconds % 3600 !== 0 ? formatClock(seconds).replace(/:\d\d$/, '') : formats.duration(seconds);
  const end = left !== undefined && left > 0 && timer != null ? week.now + left * 1000 : undefined;
  return (
    <Card className={styles.hero}>
      <div className={styles.say}>
        <h2>{said}</h2>
        <p>
          {end !== undefined && t('done_at', { time: formats.time(new Date(end).toISOString()) })}{' '}
          <span className={styles.soFar}>{parts.length > 0 && t('projects', { count: parts.length })}</span>{' '}
          {goal === null && <Link href={href('me')}>{t('set_goal')}</Link>}
        </p>
        {children}
        <Ribbon week={week} hueOf={hueOf} />
        <ul className={styles.legend}>
          {parts.map(({ id, name, seconds }) => (
            <li key={id} data-hue={hueOf(id)}>
              <span className={styles.tab} />
              <Link href={href('project', { id })}>{name}</Link>
              <strong>{formats.duration(seconds)}</strong>
            </li>
          ))}
        </ul>
      </div>
      <Ring
        parts={parts}
        whole={Math.max(done, (goal ?? 0) * 60)}
        hueOf={hueOf}
        label={t('goal_label')}
        total={ringTime(done)}
        of={goal === null ? t('today') : t('of_goal', { goal: ringTime(goal * 60) })}
      />
    </Card>
  );
}

const [firstHour, lastHour] = [6, 24];
const hourMilliseconds = 3_600_000;

/** The day as a band, from six to midnight; wider if there is study before. */
function Ribbon({ week, hueOf }: Props) {
  const t = useTexts(todayMessages);
  const marks = useMarks();
  const { timezone, day_start_hour } = useAccount();
  const formats = useFormats(timezone);
  const hourOf = (moment: number) => (moment - week.startOfToday) / hourMilliseconds + day_start_hour;
  const first = Math.min(firstHour, ...week.ofToday.map(({ from }) => Math.floor(hourOf(from))));
  const last = Math.max(lastHour, ...week.ofToday.map(({ to }) => Math.ceil(hourOf(to))));
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const named = width < ((last - first) / 3) * 60 ? 6 : 3; // hours between the names
  const x = (hour: number) => ((hour - first) / (last - first)) * width;
  const hours = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const spans = week.ofToday.map(
    ({ project_name, from, to }) =>
      `${project_name} ${[from, to].map((moment) => formats.time(new Date(moment).toISOString())).join('–')}`,
  );
  return (
    <div ref={box} className={styles.ribbon}>
      <svg width={width} height="60" role="img" aria-label={spans.length === 0 ? t('nothing_yet') : marks.facts(spans)}>
        <rect className={styles.track} x="0" y="8" width={width} height="32" rx="4" />
        {hours
          .filter((hour) => hour > first && hour < last)
          .map((hour) => (
            <line
              key={hour}
              className={styles.tick}
              x1={x(hour)}
              x2={x(hour)}
              y1={hour % 3 === 0 ? 8 : 19}
              y2={hour % 3 === 0 ? 40 : 29}
            />
          ))}
        {week.ofToday.map(({ project_id, from, to }) => (
          <rect
            key={from}
            className={styles.fill}
            data-hue={hueOf(project_id)}
            x={x(hourOf(from))}
            y="8"
            width={Math.max(2, x(hourOf(to)) - x(hourOf(from)))}
            height="32"
            rx="3"
          />
        ))}
        <line className={styles.now} x1={x(hourOf(week.now))} x2={x(hourOf(week.now))} y1="4" y2="44" />
        <circle className={styles.pin} cx={x(hourOf(week.now))} cy="4" r="3.5" />
        {hours
          .filter((hour) => hour % named === 0)
          .map((hour) => (
            <text
              key={hour}
              className={styles.axis}
              x={x(hour)}
              y="57"
              textAnchor={hour === first ? 'start' : hour === last ? 'end' : 'middle'}
            >
              {`${String(hour % 24 === 0 && hour > 0 ? 24 : hour % 24).padStart(2, '0')}:00`}
            </text>
          ))}
      </svg>
    </div>
  );
}

type RingProps = {
  parts: readonly Part[];
  whole: number;
  hueOf: (id: number) => number;
  label: string;
  total: string;
  of: string;
};

/** The projects of today as parts of the goal. */
function Ring({ parts, whole, hueOf, label, total, of }: RingProps) {
  const [radius, gap] = [62, 1.5];
  const around = 2 * Math.PI * radius;
  const percent = whole === 0 ? 0 : Math.min(100, (secondsOf(parts) / whole) * 100);
  let at = 0;
  return (
    <svg
      className={styles.ring}
      viewBox="0 0 148 148"
      role="progressbar"
      aria-label={label}
      aria-valuenow={Math.round(percent)}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <circle className={styles.ringTrack} cx="74" cy="74" r={radius} />
      {parts.map(({ id, seconds }) => {
        const share = (seconds / whole) * around;
        const from = at;
        at += share;
        return (
          <circle
            key={id}
            className={styles.ringPart}
            data-hue={hueOf(id)}
            cx="74"
            cy="74"
            r={radius}
            strokeDasharray={`${Math.max(1, share - gap)} ${around}`}
            strokeDashoffset={-from}
            transform="rotate(-90 74 74)"
          />
        );
      })}
      <text className={styles.total} x="74" y="76" textAnchor="middle">
        {total}
      </text>
      <text className={styles.axis} x="74" y="95" textAnchor="middle">
        {of}
      </text>
    </svg>
  );
}
