import { useRef, useState } from 'react';
import { useFormats } from '../../lib/format.ts';
import { useTexts } from '../../lib/texts.ts';
import { useWidth } from '../../lib/use-width.ts';
import axes from '../../ui/axes.module.css';
import { HoursAxis } from '../../ui/hours-axis.tsx';
import { axisWidth } from '../../ui/text-width.ts';
import styles from './burn-up.module.css';
import { type BurnUp, dateOf, ticksTo } from './burn-up.ts';
import { overviewMessages } from './overview-messages.ts';

const [height, top, bottom] = [262, 30, 234];

/** Hours up to each day beside an even pace and the projection; the line above shows the day that is picked. */
export function BurnUpChart({ data }: { data: BurnUp }) {
  const t = useTexts(overviewMessages);
  const formats = useFormats('UTC'); // days have no time
  const box = useRef<HTMLDivElement>(null);
  const width = Math.max(200, useWidth(box));
  const [picked, setPicked] = useState<number>();
  const { from, to, today, points, total, target, due, end, start } = data;
  const right = width - (width > 480 && end !== undefined ? 96 : 12);
  const ticks = ticksTo(Math.max(target, total)).map((hours) => ({
    hours,
    text: hours === 0 ? '0' : formats.hours(hours),
  }));
  const left = axisWidth(ticks.map(({ text }) => text));
  const most = ticks.at(-1)?.hours ?? 1;
  const x = (day: number) => left + ((day - from) / Math.max(1, to - from)) * (right - left);
  const y = (hours: number) => bottom - (hours / most) * (bottom - top);
  const at = (day: number, hours: number) => `${x(day).toFixed(1)},${y(hours).toFixed(1)}`;
  const line = points.map((hours, index) => at(from + index, hours)).join(' ');
  const isTight = x(today) > width - 130;
  const dayText = (day: number) => formats.shortDate(dateOf(day));

  const shown = picked ?? today;
  const parts = [
    data.evenAt(shown) === undefined ? '' : t('even_at', { hours: formats.hours(data.evenAt(shown) ?? 0) }),
    data.projectedAt(shown) === undefined
      ? ''
      : t('projected_at', { hours: formats.hours(data.projectedAt(shown) ?? 0) }),
  ].filter((text) => text !== '');
  const done = shown <= today ? points[shown - from] : undefined;
  const said = [formats.date(dateOf(shown)), ...(done === undefined ? [] : [formats.hours(done)]), ...parts].join(', ');
  const evenFrom = Math.max(from, start);
  // The name of the line is on the side where the own hours are not.
  const isAhead = total > (data.evenAt(today) ?? total);
  const evenDay = evenFrom + ((due ?? to) - evenFrom) * (isAhead ? 0.62 : 0.34);
  const isAbove = isTight || (isAhead && x(today) - left > 130);
  const pastEdge = end !== undefined && end > to;
  const endX = end === undefined ? 0 : Math.min(end, to);
  return (
    <>
      <p className={styles.readout}>
        <span>{formats.date(dateOf(shown))}</span>
        {done !== undefined && <b>{formats.hours(done)}</b>}
        <span>{parts.join(' · ')}</span>
      </p>
      <div ref={box} className={styles.box}>
        <svg width={width} height={height} role="img" aria-label={t('chart', { done: formats.hours(total) })}>
          <HoursAxis ticks={ticks} left={left} right={right} y={y} />
          {monthsOf(from, to, (right - left) / 52).map((day) => (
            <text
              key={day}
              className={axes.axis}
              x={x(day)}
              y={bottom + 20}
              textAnchor={day === from ? 'start' : 'middle'}
            >
              {day === from ? dayText(day) : formats.month(dateOf(day))}
            </text>
          ))}
          <polygon className={styles.area} points={`${at(from, 0)} ${line} ${at(today, 0)}`} />
          {due !== undefined && target > 0 && due > start && (
            <>
              <line
                className={axes.goal}
                x1={x(evenFrom)}
                y1={y(data.evenAt(evenFrom) ?? 0)}
                x2={x(due)}
                y2={y(target)}
              />
              <text
                className={axes.axis}
                x={x(evenDay) + (isAhead ? 10 : -10)}
                y={y(data.evenAt(evenDay) ?? 0) + (isAhead ? 18 : -8)}
                textAnchor={isAhead ? 'start' : 'end'}
              >
                {t('even_pace')}
              </text>
            </>
          )}
          <polyline className={styles.line} points={line} />
          {end !== undefined && end > today && (
            <line
              className={styles.line}
              data-projected=""
              x1={x(today)}
              y1={y(total)}
              x2={x(endX)}
              y2={y(pastEdge ? (data.projectedAt(to) ?? total) : target)}
            />
          )}
          {due !== undefined && (
            <>
              <line className={styles.limit} x1={x(due)} x2={x(due)} y1={8} y2={bottom} />
              <text className={axes.strong} x={x(due) - 6} y={16} textAnchor="end">
                {t('due_label', { date: dayText(due) })}
              </text>
            </>
          )}
          {end !== undefined && end > today && !pastEdge && (
            <>
              <circle
                className={due !== undefined && end > due ? styles.late : styles.early}
                cx={x(end)}
                cy={y(target)}
                r={5}
              />
              {width > 480 && due !== undefined && end > due && (
                <text className={axes.strong} x={x(end) + 10} y={y(target) + 1}>
                  {dayText(end)}
                  <tspan className={axes.axis} x={x(end) + 10} dy="16">
                    {t('at_pace')}
                  </tspan>
                </text>
              )}
            </>
          )}
          <text
            className={axes.strong}
            x={x(today) + (isAbove ? -10 : 10)}
            y={isAbove ? Math.max(y(total) - 12, top) : Math.min(y(total) + 18, bottom - 8)}
            textAnchor={isAbove ? 'end' : 'start'}
          >
            {t('now_label', { hours: formats.hours(total) })}
          </text>
          {picked !== undefined && (
            <line className={styles.picked} x1={x(picked)} x2={x(picked)} y1={top} y2={bottom} />
          )}
          <circle
            className={styles.dot}
            cx={x(Math.min(shown, today))}
            cy={y(points[Math.min(shown, today) - from] ?? total)}
            r={4.5}
          />
        </svg>
        <input
          type="range"
          aria-label={t('chart_day')}
          aria-valuetext={said}
          min={from}
          max={to}
          value={shown}
          style={{ left, width: right - left }}
          onChange={({ target: { value } }) => setPicked(Number(value))}
          onPointerMove={({ nativeEvent: { offsetX } }) =>
            setPicked(Math.min(to, Math.max(from, from + Math.round((offsetX / (right - left)) * (to - from)))))
          }
          onPointerLeave={() => setPicked(undefined)}
          onBlur={() => setPicked(undefined)}
        />
      </div>
    </>
  );
}

/** The days that are named on the axis: the first, and the first of months, at most `most`. */
function monthsOf(from: number, to: number, most: number): number[] {
  const firsts: number[] = [];
  for (let day = from + 1; day <= to; day += 1) if (dateOf(day).endsWith('-01')) firsts.push(day);
  const step = Math.max(1, Math.ceil(firsts.length / Math.max(1, most - 1)));
  const space = (to - from) / Math.max(2, most);
  return [from, ...firsts.filter((day, index) => index % step === 0 && day - from > space)];
}
