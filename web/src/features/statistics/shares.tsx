import type { ReactNode } from 'react';
import { useFormats } from '../../lib/format.ts';
import styles from './shares.module.css';

const maxShown = 8;

type Share = {
  key: string | number;
  /** The colour of a project. */
  hue?: number;
  name: ReactNode;
  hours: number;
  /** From the period before; undefined where nothing is compared. */
  change: string | undefined;
};

/** Hours with a bar for each, most first. */
export function Shares({ shares }: { shares: readonly Share[] }) {
  const formats = useFormats('UTC');
  const most = Math.max(0.01, shares[0]?.hours ?? 0);
  return (
    <ul className={styles.shares}>
      {shares.slice(0, maxShown).map(({ key, hue, name, hours, change }) => (
        <li key={key} data-hue={hue}>
          {hue !== undefined && <span className="tab" />}
          {typeof name === 'string' ? <span className={styles.name}>{name}</span> : name}
          <span className={styles.amount}>
            <strong>{formats.hours(hours)}</strong>
            {change !== undefined && <span className={styles.delta}>{change}</span>}
          </span>
          <span className={styles.meter}>
            <span style={{ width: `${(hours / most) * 100}%` }} />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Hours more or less; nothing for what is not known. */
export function useChangeText() {
  const formats = useFormats('UTC');
  return (change: number | undefined): string => {
    if (change === undefined) return '';
    const amount = formats.hours(Math.abs(change));
    return amount === formats.hours(0) ? amount : `${change > 0 ? '+' : '−'}${amount}`;
  };
}
