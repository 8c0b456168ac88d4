import { useRef } from 'react';
import { useFormats } from '../../lib/format.ts';
import { useMarks } from '../../lib/marks.ts';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { useWidth } from '../../lib/use-width.ts';
import type { PlanItem } from '../plan/use-plan.ts';
import type { Day } from '../plan/week-queries.ts';
import { todayMessages } from './messages.ts';
import styles from './ribbon.module.css';

const [firstHour, lastHour] = [6, 24];
const hourMilliseconds = 3_600_000;

type Props = {
  day: Day;
  now: number;
  hueOf: (id: number) => number;
  /** What is still planned follows the present. */
  planned: readonly PlanItem[];
};

/** The day as a band, from six to midnight, wider if there is study before; what is planned is pale. */
export function Ribbon({ day, now, hueOf, planned }: Props) {
  const t = useTexts(todayMessages);
  const marks = useMarks();
  const { timezone, day_start_hour } = useAccount();
  const formats = useFormats(timezone);
  const hourOf = (moment: number) => (moment - day.from) / hourMilliseconds + day_start_hour;
  const first = Math.min(
    firstHour,
    Math.floor(hourOf(now)),
    ...day.stretches.map(({ from }) => Math.floor(hourOf(from))),
  );
  const last = Math.max(lastHour, ...day.stretches.map(({ to }) => Math.ceil(hourOf(to))));
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const named = width < ((last - first) / 3) * 60 ? 6 : 3; // hours between the names
  const x = (hour: number) => ((Math.min(last, hour) - first) / (last - first)) * width;
  const hours = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const timeOf = (moment: number) => formats.time(new Date(moment).toISOString());
  const spans = day.stretches.map(({ project_name, from, to }) => `${project_name} ${timeOf(from)}–${timeOf(to)}`);
  let at = now;
  const pale = planned.flatMap(({ project, left }) => {
    if (left === 0) return [];
    const from = at;
    at += left * 1000;
    return [{ id: project.id, color: project.color, from, to: at }];
  });
  return (
    <div ref={box} className={styles.ribbon}>
      <svg width={width} height="60" role="img" aria-label={spans.length === 0 ? t('nothing_yet') : marks.facts(spans)}>
        <rect className={styles.track} x="0" y="8" width={width} height="32" rx="8" />
        {hours
          .filter((hour) => hour > first && hour < last && hour % 3 === 0)
          .map((hour) => (
            <line key={hour} className={styles.tick} x1={x(hour)} x2={x(hour)} y1="14" y2="34" />
          ))}
        {day.stretches.map(({ project_id, from, to }) => (
          <rect
            key={from}
            className={styles.fill}
            data-hue={hueOf(project_id)}
            x={x(hourOf(from))}
            y="8"
            width={Math.max(2, x(hourOf(to)) - x(hourOf(from)))}
            height="32"
            rx="4"
          />
        ))}
        {pale.map(({ id, color, from, to }) => (
          <rect
            key={id}
            className={styles.pale}
            data-hue={color}
            x={x(hourOf(from)) + 1}
            y="9"
            width={Math.max(0, x(hourOf(to)) - x(hourOf(from)) - 2)}
            height="30"
            rx="4"
          />
        ))}
        <line className={styles.now} x1={x(hourOf(now))} x2={x(hourOf(now))} y1="4" y2="44" />
        <circle className={styles.pin} cx={x(hourOf(now))} cy="4" r="3.5" />
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
