import { cx } from '../lib/cx.ts';
import styles from './sparkline.module.css';

type Props = { label: string; values: readonly number[] };

/** The shape of a few values, the last one in full ink. Each has its own scale, so two are never compared. */
export function Sparkline({ label, values }: Props) {
  const most = Math.max(...values, 0.01);
  return (
    <svg className={styles.spark} width={values.length * 9} height="24" role="img" aria-label={label}>
      {values.map((value, index) => {
        const height = value > 0 ? Math.max(2, (value / most) * 23) : 2;
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: the position is the week
            key={index}
            className={cx(value <= 0 ? styles.none : index === values.length - 1 ? styles.last : styles.bar)}
            x={index * 9}
            y={24 - height}
            width={7}
            height={height}
            rx={Math.min(1.5, height / 2)}
          />
        );
      })}
    </svg>
  );
}

const [width, height] = [144, 32];

type LineProps = Props & { isWide?: boolean /** Whether the last value may still grow. */; isLastOpen?: boolean };

/** The shape of a group's values as a line with a dot at its end, which is open while its time is not over. */
export function SparkLine({ label, values, isWide = false, isLastOpen = false }: LineProps) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const across = isWide ? width : 84;
  const points = values.map((value, index) => {
    const x = 2 + (index / Math.max(1, values.length - 1)) * (across - 8);
    const y = height - 5 - ((value - least) / (most - least || 1)) * (height - 10);
    return [x, most === least ? height / 2 : y] as const;
  });
  const [x, y] = points.at(-1) ?? [0, 0];
  return (
    <svg className={styles.spark} width={across} height={height} role="img" aria-label={label}>
      <polyline className={styles.line} points={points.map((point) => point.join(',')).join(' ')} />
      <circle className={isLastOpen ? styles.open : styles.last} cx={x} cy={y} r="3" />
    </svg>
  );
}
