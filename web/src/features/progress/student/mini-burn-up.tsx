import type { BurnUp } from '../../projects/burn-up.ts';
import styles from './student-charts.module.css';

const [width, height, base] = [136, 48, 44];

/** Hours up to each day beside the even pace, the due date, and where the pace leads; the row says it in words. */
export function MiniBurnUp({ data, label }: { data: BurnUp; label: string }) {
  const { from, to, today, points, total, target, due, end, start } = data;
  const most = Math.max(target, total, 1);
  const x = (day: number) => 3 + ((day - from) / Math.max(1, to - from)) * (width - 10);
  const y = (hours: number) => base - (hours / most) * (base - 6);
  const at = (day: number, hours: number) => `${x(day).toFixed(1)},${y(hours).toFixed(1)}`;
  const line = points.map((hours, index) => at(from + index, hours)).join(' ');
  const evenFrom = Math.max(from, start);
  const last = end === undefined ? to : Math.min(end, to);
  return (
    <svg
      className={styles.mini}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
    >
      <polygon className={styles.area} points={`${at(from, 0)} ${line} ${at(today, 0)}`} />
      {due !== undefined && target > 0 && due > start && (
        <line className={styles.even} x1={x(evenFrom)} y1={y(data.evenAt(evenFrom) ?? 0)} x2={x(due)} y2={y(target)} />
      )}
      <polyline className={styles.line} points={line} />
      {due !== undefined && <line className={styles.due} x1={x(due)} x2={x(due)} y1={2} y2={base} />}
      {end !== undefined && end > today && (
        <>
          <polyline
            className={styles.line}
            data-projected=""
            points={`${at(today, total)} ${at(last, data.projectedAt(last) ?? target)}`}
          />
          <circle
            className={due !== undefined && end > due ? styles.late : styles.early}
            cx={x(last)}
            cy={y(data.projectedAt(last) ?? target)}
            r="3.5"
          />
        </>
      )}
    </svg>
  );
}
