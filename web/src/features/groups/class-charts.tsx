import { type ReactNode, useRef } from 'react';
import { cx } from '../../lib/cx.ts';
import { useFormats } from '../../lib/format.ts';
import { useTexts } from '../../lib/texts.ts';
import { useWidth } from '../../lib/use-width.ts';
import axes from '../../ui/axes.module.css';
import { HoursAxis } from '../../ui/hours-axis.tsx';
import { Card } from '../../ui/page.tsx';
import { axisWidth, textWidth } from '../../ui/text-width.ts';
import { median } from '../progress/everyone.ts';
import styles from './class.module.css';
import { classMessages } from './class-messages.ts';
import type { Statistics } from './class-queries.ts';

/** Hours from which students share the last column. */
const last = 16;
const few = 3;
const step = 17;
const chartHeight = 168;

type DistributionProps = {
  hours: readonly number[];
  isWeek: boolean;
  /** Hours a week, if there is one. */
  goal?: number | undefined;
};

/** Students by their hours a week, a block for each. */
export function Distribution({ hours, isWeek, goal }: DistributionProps) {
  const t = useTexts(classMessages);
  const formats = useFormats('UTC');
  const columns = Array.from({ length: last + 1 }, (_, hour) => hours.filter((each) => columnOf(each) === hour).length);
  const most = Math.max(5, ...columns);
  const none = columns[0] === hours.length ? styles.idle : styles.none; // a class that has not begun is no alarm
  const height = Math.min(step, 120 / most);
  const middle = median(hours);
  const counts = t('distribution_is', {
    median: formats.shortHours(middle),
    none: columns[0] ?? 0,
    few: hours.filter((each) => each > 0 && each < few).length,
  });
  const text = goal === undefined ? counts : `${counts} ${t('goal_is', { hours: formats.shortHours(goal) })}`;
  return (
    <Card title={t(isWeek ? 'distribution_week' : 'distribution')} actions={<Note>{t('one_block')}</Note>}>
      <Chart label={text}>
        {(width) => {
          const column = width / (last + 1);
          const at = (value: number) => placeOf(value) * column;
          const x = at(middle);
          const goalX = at(goal ?? 0);
          const goalText = t('goal_line', { hours: formats.shortHours(goal ?? 0) });
          const goalWidth = textWidth(goalText) + 6;
          const isGoalLeft = goalX > width - goalWidth || (goalX > goalWidth && x > goalX && x < goalX + goalWidth);
          return (
            <>
              <line className={axes.base} x1="0" x2={width} y1="151" y2="151" />
              {columns.map((count, hour) =>
                Array.from({ length: count }, (_, index) => (
                  <rect
                    // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no identity
                    key={`${hour} ${index}`}
                    className={cx(hour === 0 ? none : hour < few ? styles.few : styles.block)}
                    x={hour * column}
                    y={150 - (index + 1) * height}
                    width={column * blockWidth}
                    height={height * 0.85}
                    rx={3}
                  />
                )),
              )}
              <line className={styles.median} x1={x} x2={x} y1="20" y2="151" />
              <text
                className={axes.strong}
                x={x}
                y="14"
                textAnchor={x > width - 80 ? 'end' : x < 60 ? 'start' : 'middle'}
              >
                {t('median_line', { hours: formats.shortHours(middle) })}
              </text>
              {goal !== undefined && (
                <>
                  <line className={styles.goal} x1={goalX} x2={goalX} y1="34" y2="151" />
                  <text
                    className={axes.strong}
                    x={goalX + (isGoalLeft ? -6 : 6)}
                    y="40"
                    textAnchor={isGoalLeft ? 'end' : 'start'}
                  >
                    {goalText}
                  </text>
                </>
              )}
              {[0, 2, 4, 6, 8, 10, 12, ...(width < 400 ? [] : [14]), last].map((hour) => (
                <text
                  key={hour}
                  className={axes.axis}
                  x={hour === last ? width : at(hour)}
                  y="165"
                  textAnchor={hour === last ? 'end' : 'middle'}
                >
                  {hour === last ? t('hours_or_more', { hours: hour }) : hour}
                </text>
              ))}
            </>
          );
        }}
      </Chart>
    </Card>
  );
}

/** Hours are rounded down, but any study is more than none. */
const columnOf = (hours: number) => (hours <= 0 ? 0 : Math.min(last, Math.max(1, Math.floor(hours))));

const blockWidth = 0.84;
/** Where a value stands, in columns: column 7 begins at 7 hours. No hours, and those of the last one, have no scale. */
const placeOf = (hours: number) => (hours <= 0 ? blockWidth / 2 : Math.min(last + blockWidth / 2, Math.max(1, hours)));

/** The median of each week, and between the quartiles the middle half. */
export function Trend({ weekly }: { weekly: Statistics['weekly'] }) {
  const t = useTexts(classMessages);
  const formats = useFormats('UTC');
  const top = Math.max(4, Math.ceil(Math.max(...weekly.map(({ upper_quartile }) => upper_quartile)) / 4) * 4);
  const y = (hours: number) => 144 - (hours / top) * 134;
  const end = weekly.at(-1)?.median ?? 0;
  const ticks = [0, 1, 2, 3, 4].map((part) => ({
    hours: (top / 4) * part,
    text: formats.shortHours((top / 4) * part),
  }));
  const left = axisWidth(ticks.map(({ text }) => text));
  const dates = weekly.map(({ first_day }) => formats.shortDate(first_day));
  const described = weekly.map(
    ({ first_day, median: each }) => `${formats.shortDate(first_day)} ${formats.shortHours(each)}`,
  );
  return (
    <Card title={t('trend')} actions={<Note>{t('middle_half')}</Note>}>
      <Chart label={t('trend_is', { weeks: described.join(', ') })}>
        {(width) => {
          const right = width - axisWidth([formats.shortHours(end)]);
          const x = (index: number) => left + (index / Math.max(1, weekly.length - 1)) * (right - left);
          const points = (of: (week: Statistics['weekly'][number]) => number) =>
            weekly.map((week, index) => `${x(index)},${y(of(week))}`);
          const band = [
            ...points((week) => week.upper_quartile),
            ...points((week) => week.lower_quartile).toReversed(),
          ];
          const every = Math.ceil((Math.max(...dates.map(textWidth)) + 12) / Math.max(1, x(1) - x(0)));
          return (
            <>
              <HoursAxis ticks={ticks} left={left} right={right} y={y} />
              <polygon className={styles.band} points={band.join(' ')} />
              <polyline className={styles.line} points={points((week) => week.median).join(' ')} />
              <circle className={styles.block} cx={x(weekly.length - 1)} cy={y(end)} r="4" />
              <text className={axes.strong} x={right + 8} y={y(end) + 4}>
                {formats.shortHours(end)}
              </text>
              {weekly.map(({ first_day }, index) =>
                index % every === 0 ? (
                  <text key={first_day} className={axes.axis} x={x(index)} y="164" textAnchor="middle">
                    {dates[index]}
                  </text>
                ) : null,
              )}
            </>
          );
        }}
      </Chart>
    </Card>
  );
}

/** A drawing as wide as its card, so that its texts keep their size. */
function Chart({ label, children }: { label: string; children: (width: number) => ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  return (
    <div ref={box} className={styles.chart}>
      <svg width={width} height={chartHeight} role="img" aria-label={label}>
        {width > 0 && children(width)}
      </svg>
    </div>
  );
}

const Note = ({ children }: { children: string }) => <span className="note">{children}</span>;
