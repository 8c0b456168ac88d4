import { cx } from '../lib/cx.ts';
import styles from './figure.module.css';

export type Share = { key: string; label: string; value: number; text: string };

/** Parts of a whole as bars, largest first. */
export function Shares({ shares }: { shares: readonly Share[] }) {
  const most = Math.max(...shares.map((share) => share.value), 0.01);
  return (
    <ul className={cx(styles.shares)}>
      {shares.map(({ key, label, value, text }) => (
        <li key={key}>
          <span>{label}</span>
          <span>{text}</span>
          <span className={cx(styles.share)} style={{ width: `${(value / most) * 100}%` }} />
        </li>
      ))}
    </ul>
  );
}
