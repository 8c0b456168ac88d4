import { cx } from '../lib/cx.ts';
import styles from './figure.module.css';

export type Bar = { key: string; label: string; value: number; text: string };

/** A bar chart. `label` describes it in one sentence. */
export function Bars({ label, bars }: { label: string; bars: readonly Bar[] }) {
  // Many bars leave no room for labels; the table has all values.
  const hasLabels = bars.length <= 16;
  const most = Math.max(...bars.map((bar) => bar.value), 0.01);
  return (
    <div role="img" aria-label={label} className={cx(styles.bars)}>
      {bars.map(({ key, label: name, value, text }, index) => (
        <div key={key}>
          {hasLabels && <span data-crowded={bars.length > 8 || undefined}>{value > 0 && text}</span>}
          <span className={cx(styles.bar)} style={{ height: `${(value / most) * 75}%` }} />
          <span className={cx(styles.name)}>{hasLabels || (bars.length - 1 - index) % 4 === 0 ? name : ''}</span>
        </div>
      ))}
    </div>
  );
}
