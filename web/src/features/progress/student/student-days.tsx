import { useRef } from 'react';
import { useFormats } from '../../../lib/format.ts';
import { specialOn, useDayName, useSchoolYear } from '../../../lib/school-year.ts';
import { useTexts } from '../../../lib/texts.ts';
import { useWidth } from '../../../lib/use-width.ts';
import axes from '../../../ui/axes.module.css';
import { Figure } from '../../../ui/figure.tsx';
import { axisWidth, centredBefore } from '../../../ui/text-width.ts';
import styles from './student-charts.module.css';
import { studentMessages } from './student-messages.ts';

type Props = {
  userId: number;
  name: string;
  days: readonly { date: string; hours: number }[];
  /** The median of each day in the student's class. */
  beside: { name: string; medians: readonly number[] } | undefined;
};

const [height, top, bottom] = [128, 8, 96];

/** The hours of the last days beside the median of the class. */
export function StudentDays({ userId, name, days, beside }: Props) {
  const t = useTexts(studentMessages);
  const formats = useFormats('UTC'); // days have no time
  const box = useRef<HTMLDivElement>(null);
  const width = Math.max(240, useWidth(box));
  const { days: special } = useSchoolYear({ user_id: userId });
  const nameOf = useDayName();
  /** The date, and what the day is if it is special. */
  const named = (date: string, text: string) =>
    [text, ...[specialOn(special, date)].flatMap((found) => (found === undefined ? [] : nameOf(found)))].join(' · ');
  const medians = beside?.medians ?? [];
  const most = Math.max(1, ...days.map(({ hours }) => hours), ...medians);
  const text = formats.hours(most);
  const left = axisWidth([text]);
  const step = (width - left) / Math.max(1, days.length);
  const y = (hours: number) => bottom - (hours / most) * (bottom - top);
  const middle = (index: number) => left + (index + 0.5) * step;
  const label = (date: string, index: number) =>
    index < 7 || formats.dayOfMonth(date).length > 2 ? formats.shortDate(date) : formats.dayOfMonth(date);
  const rows = days.map(({ date, hours }, index) => {
    const median = medians[index];
    const values = [formats.hours(hours), ...(median === undefined ? [] : [formats.hours(median)])];
    return [date, named(date, formats.date(date)), ...values] as const;
  });
  return (
    <Figure
      title={t('days')}
      context={beside === undefined ? t('days_context') : t('days_with_class', { name: beside.name })}
      head={[t('day'), t('hours'), ...(beside === undefined ? [] : [t('median')])]}
      rows={rows}
      about={
        beside !== undefined && (
          <span className={styles.legend}>
            <span data-kind="own">{name}</span>
            <span data-kind="class">{t('median')}</span>
          </span>
        )
      }
    >
      <div ref={box} className={styles.days}>
        <svg width={width} height={height} role="img" aria-label={`${t('days')}: ${name}`}>
          <text className={axes.axis} x={left - 8} y={y(most) + 4} textAnchor="end">
            {text}
          </text>
          <text className={axes.axis} x={left - 8} y={bottom + 4} textAnchor="end">
            0
          </text>
          <pattern
            id="student-day-off"
            width="6"
            height="6"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <line className={styles.hatch} x1="0" x2="0" y1="0" y2="6" />
          </pattern>
          {days.map(({ date, hours }, index) => (
            <g key={date}>
              <title>{named(date, `${formats.day(date)}: ${formats.hours(hours)}`)}</title>
              <rect
                className={styles.slot}
                x={middle(index) - step * 0.34}
                y={top}
                width={step * 0.68}
                height={bottom - top}
                rx="3"
              />
              {(specialOn(special, date)?.kind ?? 'school_day') !== 'school_day' && (
                <rect
                  data-day-off=""
                  fill="url(#student-day-off)"
                  x={middle(index) - step * 0.34}
                  y={top}
                  width={step * 0.68}
                  height={bottom - top}
                  rx="3"
                />
              )}
              {hours > 0 && (
                <rect
                  className={styles.bar}
                  x={middle(index) - step * 0.34}
                  y={Math.min(y(hours), bottom - 2)}
                  width={step * 0.68}
                  height={Math.max(2, bottom - y(hours))}
                  rx="3"
                />
              )}
              {new Date(date).getUTCDay() === 1 && (
                <text
                  className={axes.axis}
                  x={centredBefore(width, middle(index), label(date, index))}
                  y={bottom + 20}
                  textAnchor="middle"
                >
                  {label(date, index)}
                </text>
              )}
            </g>
          ))}
          {medians.length > 0 && (
            <polyline
              className={styles.even}
              points={medians.map((hours, index) => `${middle(index)},${y(hours)}`).join(' ')}
            />
          )}
        </svg>
      </div>
    </Figure>
  );
}
