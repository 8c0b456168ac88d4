import { cx } from '../../lib/cx.ts';
import { useFormats } from '../../lib/format.ts';
import { useTexts } from '../../lib/texts.ts';
import axes from '../../ui/axes.module.css';
import { Card } from '../../ui/page.tsx';
import { median } from '../progress/everyone.ts';
import styles from './class.module.css';
import { classMessages } from './class-messages.ts';
import type { Statistics } from './class-queries.ts';

/** Hours from which students share the last column. */
const last = 16;
const few = 3;
const [column, step] = [24.7, 17];

/** Students by their hours a week, a block for each. */
export function Distribution({ hours, isWeek }: { hours: readonly number[]; isWeek: boolean }) {
  const t = useTexts(classMessages);
  const formats = useFormats('UTC');
  const columns = Array.from({ length: last + 1 }, (_, hour) => hours.filter((each) => columnOf(each) === hour).length);
  const most = Math.max(5, ...columns);
  const height = Math.min(step, 120 / most);
  const middle = median(hours);
  const x = 12 + Math.min(middle, last) * column + column / 2;
  const text = t('distribution_is', {
    median: formats.shortHours(middle),
    none: columns[0] ?? 0,
    few: hours.filter((each) => each > 0 && each < few).length,
  });
  return (
    <Card title={t(isWeek ? 'distribution_week' : 'distribution')} actions={<Note>{t('one_block')}</Note>}>
      <svg className={styles.chart} viewBox="0 0 440 168" role="img" aria-label={text}>
        <line className={axes.base} x1="10" x2="430" y1="151" y2="151" />
        {columns.map((count, hour) =>
          Array.from({ length: count }, (_, index) => (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no identity
              key={`${hour} ${index}`}
              className={cx(hour === 0 ? styles.none : hour < few ? styles.few : styles.block)}
              {...{ x: 12 + hour * column, y: 150 - (index + 1) * height, width: 20.7, height: height * 0.85, rx: 3 }}
            />
          )),
        )}
        <line className={styles.median} x1={x} x2={x} y1="20" y2="151" />
        <text className={axes.strong} x={x} y="14" textAnchor={x > 360 ? 'end' : x < 60 ? 'start' : 'middle'}>
          {t('median_line', { hours: formats.shortHours(middle) })}
        </text>
        {[0, 2, 4, 6, 8, 10, 12, 14, last].map((hour) => (
          <text key={hour} className={axes.axis} x={12 + hour * column + 10.4} y="165" textAnchor="middle">
            {hour === last ? `${hour}+` : hour}
          </text>
        ))}
      </svg>
    </Card>
  );
}

/** Hours are rounded down, but any study is more than none. */
const columnOf = (hours: number) => (hours <= 0 ? 0 : Math.min(last, Math.max(1, Math.floor(hours))));

/** The median of each week, and between the quartiles the middle half. */
export function Trend({ weekly }: { weekly: Statistics['weekly'] }) {
  const t = useTexts(classMessages);
  const formats = useFormats('UTC');
  const top = Math.max(4, Math.ceil(Math.max(...weekly.map(({ upper_quartile }) => upper_quartile)) / 4) * 4);
  const x = (index: number) => 40 + (index / Math.max(1, weekly.length - 1)) * 350;
  const y = (hours: number) => 144 - (hours / top) * 134;
  const points = (of: (week: Statistics['weekly'][number]) => number) =>
    weekly.map((week, index) => `${x(index)},${y(of(week))}`);
  const band = [...points((week) => week.upper_quartile), ...points((week) => week.lower_quartile).toReversed()];
  const end = weekly.at(-1)?.median ?? 0;
  const described = weekly.map(
    ({ first_day, median: each }) => `${formats.shortDate(first_day)} ${formats.shortHours(each)}`,
  );
  return (
    <Card title={t('trend')} actions={<Note>{t('middle_half')}</Note>}>
      <svg
        className={styles.chart}
        viewBox="0 0 440 168"
        role="img"
        aria-label={t('trend_is', { weeks: described.join(', ') })}
      >
        {[0, 1, 2, 3, 4]
          .map((part) => (top / 4) * part)
          .map((hours) => (
            <g key={hours}>
              <line className={hours === 0 ? axes.base : axes.grid} x1="40" x2="390" y1={y(hours)} y2={y(hours)} />
              <text className={axes.axis} x="33" y={y(hours) + 4} textAnchor="end">
                {formats.shortHours(hours)}
              </text>
            </g>
          ))}
        <polygon className={styles.band} points={band.join(' ')} />
        <polyline className={styles.line} points={points((week) => week.median).join(' ')} />
        <circle className={styles.block} cx={x(weekly.length - 1)} cy={y(end)} r="4" />
        <text className={axes.strong} x="398" y={y(end) + 4}>
          {formats.shortHours(end)}
        </text>
        {weekly.map(({ first_day }, index) =>
          index % 3 === 0 ? (
            <text key={first_day} className={axes.axis} x={x(index)} y="164" textAnchor="middle">
              {formats.shortDate(first_day)}
            </text>
          ) : null,
        )}
      </svg>
    </Card>
  );
}

const Note = ({ children }: { children: string }) => <span className={styles.note}>{children}</span>;
