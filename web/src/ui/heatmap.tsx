import { Fragment, type KeyboardEvent, type MouseEvent, type ReactNode, useRef, useState } from 'react';
import { cx } from '../lib/cx.ts';
import styles from './figure.module.css';

/** `isOff`: nothing is expected of it; it is hatched. */
export type HeatDay = { date: string; hours: number; isOff?: boolean };
type Props = {
  days: readonly HeatDay[];
  /** Describes the chart in one sentence. */
  label: string;
  /** Describes a day or several consecutive days. */
  describe: (days: readonly HeatDay[]) => string;
  /** In place of the description while no day is pointed at. */
  summary: string;
  /** The name of a date's month. */
  monthOf: (date: string) => string;
  /** The short name of a date's weekday. */
  weekdayOf: (date: string) => string;
  /** Receives the first and the last selected day. */
  onChoose?: (from: string, to: string) => void;
  /** On phones below the squares: what the steps mean. */
  children?: ReactNode;
};

/** The hours at which the steps begin: quarters of the days with study, so that every person's days differ. */
function quartersOf(days: readonly HeatDay[]): number[] {
  const hours = days.flatMap((day) => (day.hours > 0 ? [day.hours] : [])).sort((a, b) => a - b);
  return [1, 2, 3].map((quarter) => hours[Math.floor((hours.length * quarter) / 4)] ?? Number.POSITIVE_INFINITY);
}
/** Weeks shown on a phone, and in a window of medium width. */
const [narrowWeeks, mediumWeeks] = [13, 35];
const steps: Readonly<Record<string, number>> = { ArrowLeft: -7, ArrowRight: 7, ArrowUp: -1, ArrowDown: 1 };

/**
 * Days as squares, a column per week. Arrow keys move, with Shift they select a range; the line below describes it.
 * Enter or a click chooses it; a first tap only describes it, because touch has no hover.
 */
export function Heatmap({ days, label, describe, summary, monthOf, weekdayOf, onChoose, children }: Props) {
  /** Both ends of the range; the arrow keys move `active`. */
  const [[anchor, active], setMarked] = useState<readonly [anchor?: number, active?: number]>([]);
  const tapped = useRef<number>(undefined);
  const quarters = quartersOf(days);
  const levelOf = (hours: number) => (hours <= 0 ? 0 : 1 + quarters.filter((begin) => hours >= begin).length);
  const columns = Array.from({ length: Math.ceil(days.length / 7) }, (_, column) => column);
  const ageOf = (column: number) => {
    const weeks = columns.length - column;
    return weeks <= narrowWeeks ? undefined : weeks <= mediumWeeks ? 'older' : 'oldest';
  };
  /** Shown above the column in which the month begins. */
  const monthName = (column: number) => {
    const date = days[column * 7]?.date ?? '';
    return Number(date.slice(8)) <= 7 ? monthOf(date) : '';
  };
  const [start, end] = [Math.min(anchor ?? 0, active ?? 0), Math.max(anchor ?? 0, active ?? 0)];
  const marked = active === undefined ? [] : days.slice(start, end + 1);
  const isMarked = (index: number) => active !== undefined && index >= start && index <= end;
  const [first, last] = [marked[0], marked.at(-1)];

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Enter' && first !== undefined && last !== undefined) onChoose?.(first.date, last.date);
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = (active ?? days.length - 1) + (active === undefined ? 0 : step);
    if (next >= 0 && next < days.length) setMarked([event.shiftKey ? (anchor ?? next) : next, next]);
  }

  function onClick({ nativeEvent }: MouseEvent, index: number, { date }: HeatDay): void {
    const isFirstTap = (nativeEvent as PointerEvent).pointerType === 'touch' && tapped.current !== index;
    tapped.current = index;
    if (!isFirstTap) onChoose?.(date, date);
  }

  return (
    <div className="stack-8">
      <div
        role="application"
        aria-label={label}
        aria-describedby="heatmap-day"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrows move within it
        tabIndex={0}
        className={styles.grid}
        onKeyDown={onKeyDown}
        onPointerLeave={({ pointerType }) => pointerType !== 'touch' && setMarked([])}
        onBlur={() => setMarked([])}
      >
        <span className={styles.month} aria-hidden="true" />
        {days.slice(0, 7).map(({ date }, row) => (
          <span key={date} className={styles.weekday} aria-hidden="true">
            {row % 2 === 0 ? weekdayOf(date) : ''}
          </span>
        ))}
        {columns.map((column) => (
          <Fragment key={column}>
            <span className={styles.month} data-age={ageOf(column)} aria-hidden="true">
              {monthName(column)}
            </span>
            {days.slice(column * 7, column * 7 + 7).map((day, row) => {
              const index = column * 7 + row;
              return (
                // biome-ignore lint/a11y/noStaticElementInteractions: the grid handles the keyboard
                // biome-ignore lint/a11y/useKeyWithClickEvents: as above
                <span
                  key={day.date}
                  className={cx(styles.day)}
                  data-level={levelOf(day.hours)}
                  data-off={day.isOff ? '' : undefined}
                  data-active={isMarked(index) ? '' : undefined}
                  data-age={ageOf(column)}
                  onPointerEnter={() => setMarked([index, index])}
                  onClick={(event) => onClick(event, index, day)}
                />
              );
            })}
          </Fragment>
        ))}
      </div>
      <div className={styles.legend}>
        <p id="heatmap-day" role="status">
          {marked.length === 0 ? summary : describe(marked)}
        </p>
        {children}
      </div>
    </div>
  );
}

type ScaleProps = {
  days: readonly HeatDay[];
  /** Describes the darkest step, which begins at these hours. */
  moreThan: (hours: number) => string;
};

/** What the steps mean. */
export function HeatScale({ days, moreThan }: ScaleProps) {
  const darkest = quartersOf(days)[2];
  return (
    <span className={styles.scale} aria-hidden="true">
      0
      {[0, 1, 2, 3, 4].map((level) => (
        <span key={level} className={styles.day} data-level={level} />
      ))}
      {darkest !== undefined && Number.isFinite(darkest) && moreThan(darkest)}
    </span>
  );
}

/** What hatched squares are. */
export function OffSample({ children }: { children: ReactNode }) {
  return (
    <span className={styles.scale}>
      <span className={styles.day} data-level={0} data-off="" aria-hidden="true" />
      {children}
    </span>
  );
}
