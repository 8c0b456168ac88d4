import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { cx } from '../../lib/cx.ts';
import { useFormats } from '../../lib/format.ts';
import { useTexts } from '../../lib/texts.ts';
import { useWidth } from '../../lib/use-width.ts';
import { href } from '../../routes.ts';
import axes from '../../ui/axes.module.css';
import { axisWidth, centredBefore, textWidth } from '../../ui/text-width.ts';
import styles from './chart.module.css';
import { periodMessages } from './period-messages.ts';
import { type Column, Readout, type Series } from './weeks-readout.tsx';

type Props = {
  series: readonly Series[];
  /** The hours of the whole period: the sum of its rounded parts may differ. */
  total: number;
  /** The hours of each series in the whole period. */
  totals: readonly number[];
  columns: readonly Column[];
  /** Describes the chart in one sentence. */
  label: string;
  goal?: number | undefined;
  isOwn: boolean;
};

const [height, bottom, top] = [232, 26, 12];
/** Below this width the chart shows the latest weeks, and scrolls. */
const narrow = 480;
/** The least width of a column, which is also a target for fingers. */
const minSteps = { narrow: 44, wide: 36 };

/** Grid lines at round hours, four at most. */
function gridOf(most: number): number[] {
  const step = [0.25, 0.5, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 24].find((hours) => most / hours <= 4) ?? 48;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, line) => line * step);
}

/** Bars stacked by project. The line above has the values of the period, or of the bar under pointer, finger or focus. */
export function WeeksChart({ series, total, totals, columns, label, goal, isOwn }: Props) {
  const t = useTexts(periodMessages);
  const formats = useFormats('UTC'); // dates have no time
  const [, navigate] = useLocation();
  const [marked, setMarked] = useState<number>();
  const tapped = useRef<number>(undefined);
  const frame = useRef<HTMLDivElement>(null);
  const buttons = useRef<(HTMLButtonElement | null)[]>([]);
  const available = useWidth(frame);
  const isNarrow = available < narrow;
  const most = Math.max(0.5, goal ?? 0, ...columns.map(({ hours }) => hours)) * 1.08;
  const grid = gridOf(most).map((hours) => ({ hours, text: t('axis_hours', { hours: formats.exact(hours) }) }));
  const goalText = goal === undefined ? '' : t('goal', { hours: formats.number(goal) });
  const left = axisWidth(grid.map(({ text }) => text));
  const right = goal === undefined ? 8 : axisWidth([goalText]); // beside the bars, which it would cover
  const width = Math.max(available, left + right + columns.length * minSteps[isNarrow ? 'narrow' : 'wide']);
  const step = (width - left - right) / Math.max(1, columns.length);
  const y = (hours: number) => top + (height - bottom - top) * (1 - hours / most);
  const base = y(0);
  useEffect(() => {
    if (frame.current !== null) frame.current.scrollLeft = width; // the latest bars
  }, [width]);

  // The month is named at its first column, unless the name would reach into the next one.
  const named = columns.map((_, index) => isMonthNamed(columns, index));
  const long = columns.map(({ from }) => formats.shortDate(from));
  const names = columns.map(({ from }, index) => {
    const isTight = named[index + 1] && textWidth(`${long[index]}${long[index + 1]}`) / 2 > step;
    return named[index] && !isTight ? long[index] : formats.dayOfMonth(from);
  });
  const shown = marked === undefined ? undefined : columns[marked];
  const said = (column: Column) =>
    [
      t('day_hours', { date: formats.dayRange(column.from, column.to), hours: formats.hours(column.hours) }),
      ...column.parts.flatMap((hours, index) =>
        hours > 0 && series.length > 1 ? [`${series[index]?.name} ${formats.hours(hours)}`] : [],
      ),
    ].join(', ');

  function open({ from, to }: Column): void {
    if (isOwn) navigate(`${href('records')}?view=list&from=${from}&to=${to}`);
  }
  function onKeyDown(event: KeyboardEvent, index: number): void {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    buttons.current[index + by]?.focus();
  }
  return (
    <>
      <Readout series={series} total={total} totals={totals} goal={goal} isOwn={isOwn} shown={shown} />
      <div className={styles.plot}>
        <svg className={styles.scale} width={left} height={height} aria-hidden="true">
          {grid.map(({ hours, text }) => (
            <text key={hours} className={axes.axis} x={left - 8} y={y(hours) + 4} textAnchor="end">
              {text}
            </text>
          ))}
        </svg>
        <div ref={frame} className={styles.frame}>
          <div className={styles.drawing} style={{ width }}>
            <svg width={width} height={height} role="img" aria-label={label}>
              {grid.map(({ hours }) => (
                <line
                  key={hours}
                  className={hours === 0 ? axes.base : axes.grid}
                  x1={left}
                  x2={width - right}
                  y1={y(hours)}
                  y2={y(hours)}
                />
              ))}
              {columns.map((column, index) => {
                let from = base;
                const [x, bar] = [left + index * step, Math.min(step * 0.64, 56)];
                return (
                  <g key={column.from}>
                    {marked === index && (
                      <rect className={styles.track} x={x} y="2" width={step} height={base - 2} rx="4" />
                    )}
                    {column.parts.map((hours, part) => {
                      const size = base - y(hours);
                      from -= size;
                      return size <= 0 ? null : (
                        <rect
                          key={series[part]?.key}
                          className={cx(styles.fill, series.length === 1 && styles.only)}
                          data-hue={series[part]?.color}
                          x={x + (step - bar) / 2}
                          y={from}
                          width={bar}
                          height={Math.max(1, size - 1.5)}
                          rx="2"
                        />
                      );
                    })}
                    <text
                      className={index === columns.length - 1 ? axes.strong : axes.axis}
                      x={centredBefore(width, x + step / 2, names[index] ?? '')}
                      y={height - 6}
                      textAnchor="middle"
                    >
                      {names[index]}
                    </text>
                  </g>
                );
              })}
              {goal !== undefined && (
                <>
                  <line className={axes.goal} x1={left} x2={width - right} y1={y(goal)} y2={y(goal)} />
                  <text className={axes.strong} x={width - right + 6} y={y(goal) + 4}>
                    {goalText}
                  </text>
                </>
              )}
            </svg>
            <div className={cx(styles.columns, 'no-print')} style={{ left, right }}>
              {columns.map((column, index) => (
                <button
                  key={column.from}
                  ref={(button) => {
                    buttons.current[index] = button;
                  }}
                  type="button"
                  aria-label={said(column)}
                  tabIndex={index === (marked ?? columns.length - 1) ? 0 : -1}
                  onFocus={() => setMarked(index)}
                  onBlur={() => setMarked(undefined)}
                  onPointerEnter={() => setMarked(index)}
                  onPointerLeave={({ pointerType }) => pointerType !== 'touch' && setMarked(undefined)}
                  onKeyDown={(event) => onKeyDown(event, index)}
                  onClick={({ nativeEvent }) => {
                    const isFirstTap =
                      (nativeEvent as PointerEvent).pointerType === 'touch' && tapped.current !== index;
                    tapped.current = index;
                    if (!isFirstTap) open(column);
                  }}
                />
              ))}
            </div>
          </div>
        </div>
      </div>
    </>
  );
}

/** The month is named at its first column only. */
const isMonthNamed = (columns: readonly Column[], index: number): boolean =>
  columns[index]?.from.slice(0, 7) !== columns[index - 1]?.from.slice(0, 7);
