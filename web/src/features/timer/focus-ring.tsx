import { useEffect, useState } from 'react';
import { outbox } from '../../lib/outbox/outbox.ts';
import styles from './focus.module.css';

const [size, radius] = [456, 218];
const around = 2 * Math.PI * radius;

/** How much of the planned time has passed, from 0 to 1. */
export const Ring = ({ share }: { share: number }) => (
  <svg viewBox={`0 0 ${size} ${size}`} aria-hidden="true">
    <circle className={styles.track} cx={size / 2} cy={size / 2} r={radius} />
    <circle
      className={styles.part}
      cx={size / 2}
      cy={size / 2}
      r={radius}
      strokeDasharray={`${share * around} ${around}`}
      transform={`rotate(-90 ${size / 2} ${size / 2})`}
    />
  </svg>
);

/** The service's time in milliseconds, every second while it is needed. */
export function useSecond(isNeeded: boolean): number {
  const [now, setNow] = useState(() => Date.parse(outbox.now()));
  useEffect(() => {
    if (!isNeeded) return undefined;
    const tick = () => setNow(Date.parse(outbox.now()));
    tick();
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, [isNeeded]);
  return now;
}
