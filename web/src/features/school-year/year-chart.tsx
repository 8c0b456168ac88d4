import { cx } from '../../lib/cx.ts';
import { useFormats } from '../../lib/format.ts';
import { useTexts } from '../../lib/texts.ts';
import { schoolYearMessages } from './messages.ts';
import { type DayKind, lengthOf, plusDays, type YearDay } from './year.ts';
import styles from './year-view.module.css';

/** Between the beginnings of two squares, and their size. */
const [step, size] = [17.55, 14.5];
/** Of the names of the weekdays, and of the mark of today above the squares. */
const [left, above] = [30, 14];
const [width, height] = [left + 54 * step, 7 * step + 22];

/** Each day of a school year as a square, a column per week from Monday. The list below has the same in words. */
export function YearChart({ year, days, today }: { year: { from: string }; days: readonly YearDay[]; today: string }) {
  const t = useTexts(schoolYearMessages);
  const formats = useFormats('UTC'); // days have no time
  const before = (new Date(year.from).getUTCDay() + 6) % 7;
  const cellOf = (date: string): [x: number, y: number] => {
    const place = before + lengthOf({ from: year.from, to: date }) - 1;
    return [left + Math.floor(place / 7) * step, (place % 7) * step];
  };
  const now = days.some(({ date }) => date === today) ? cellOf(today)[0] + size / 2 : undefined;
  const last = days.at(-1)?.date ?? year.from;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls on a phone
    <section className={styles.scroll} tabIndex={0} aria-label={t('year')}>
      <svg
        className={styles.chart}
        viewBox={`0 ${-above} ${width} ${height + above}`}
        role="img"
        aria-label={t('glance', { from: formats.date(year.from), to: formats.date(last) })}
      >
        {[0, 2, 4, 6].map((row) => (
          <text key={row} x={0} y={row * step + 12}>
            {formats.weekdayShort(plusDays('2024-01-01', row))}
          </text>
        ))}
        {days.map((day) => {
          const [x, y] = cellOf(day.date);
          return (
            <g key={day.date} transform={`translate(${x} ${y})`}>
              <title>{t('day_is', { day: formats.day(day.date), what: day.name ?? t(day.kind) })}</title>
              <Square kind={day.kind} />
              {day.date.endsWith('-01') && (
                <text y={7 * step - y + 14} className={cx(day.date.slice(0, 7) === today.slice(0, 7) && styles.now)}>
                  {formats.month(day.date)}
                </text>
              )}
            </g>
          );
        })}
        {now !== undefined && (
          <g className={styles.today}>
            <circle cx={now} cy={4 - above} r={3} />
            <line x1={now} x2={now} y1={4 - above} y2={7 * step} />
          </g>
        )}
      </svg>
    </section>
  );
}

function Square({ kind }: { kind: DayKind }) {
  return (
    <>
      <rect width={size} height={size} rx={3} data-kind={kind} />
      {kind === 'off' && (
        <path
          d={`M2 ${size - 2} ${size - 2} 2M2 ${size / 2} ${size / 2} 2M${size / 2} ${size - 2} ${size - 2} ${size / 2}`}
        />
      )}
      {kind === 'part' && <path d={`M${size - 1} 1V${size - 1}H1Z`} data-kind="half" />}
      {kind === 'make_up' && <circle cx={size / 2} cy={size / 2} r={2.6} />}
    </>
  );
}

const legend: readonly DayKind[] = ['school', 'off', 'part', 'make_up', 'weekend'];

export function YearLegend({ today }: { today: string | undefined }) {
  const t = useTexts(schoolYearMessages);
  const formats = useFormats('UTC');
  return (
    <p className={styles.legend}>
      {legend.map((kind) => (
        <span key={kind}>
          <svg className={styles.sample} viewBox={`0 0 ${size} ${size}`} aria-hidden="true">
            <Square kind={kind} />
          </svg>
          {t(kind)}
        </span>
      ))}
      {today !== undefined && <span className={styles.mark}>{t('today', { day: formats.longDay(today) })}</span>}
    </p>
  );
}
