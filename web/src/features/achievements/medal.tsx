import { Flame, Hourglass, type LucideIcon, Moon, Sunrise, Target } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from '../../lib/cx.ts';
import styles from './awards.module.css';
import type { Award } from './awards-queries.ts';

type Kind = Award['requires']['kind'];

/** A star with many short points. */
const star = (outer: number, inner: number) =>
  Array.from({ length: 28 }, (_, index) => {
    const [radius, angle] = [index % 2 === 0 ? outer : inner, (index / 28) * 2 * Math.PI];
    return `${(48 + radius * Math.sin(angle)).toFixed(1)},${(48 - radius * Math.cos(angle)).toFixed(1)}`;
  }).join(' ');

const hexagon = (
  <>
    <path className={styles.soft} d="M48 4l38 22v44L48 92 10 70V26z" />
    <path className={styles.ring} d="M48 14l29.4 17v34L48 82 18.6 65V31z" />
  </>
);
const circle = (
  <>
    <circle className={styles.soft} cx="48" cy="48" r="44" />
    <circle className={styles.ring} cx="48" cy="48" r="34" />
  </>
);
const square = (
  <>
    <rect className={styles.soft} x="8" y="8" width="80" height="80" rx="18" />
    <rect className={styles.ring} x="17" y="17" width="62" height="62" rx="12" />
  </>
);
const habit = (
  <>
    <polygon className={styles.soft} points={star(44, 38)} />
    <circle className={styles.ring} cx="48" cy="48" r="32" />
  </>
);

/** The shape says what is rewarded: hours, days in a row, a goal or a habit. */
const looks: Record<Kind, { shape: ReactNode; icon: LucideIcon; hue: number }> = {
  study_time: { shape: hexagon, icon: Hourglass, hue: 1 },
  streak: { shape: circle, icon: Flame, hue: 2 },
  target: { shape: square, icon: Target, hue: 3 },
  early_bird: { shape: habit, icon: Sunrise, hue: 11 },
  night_owl: { shape: habit, icon: Moon, hue: 5 },
};

export const hueOfKind = (kind: Kind): number => looks[kind].hue;

/** The picture of an award. */
export function Medal({ kind, isLocked = false, size = 88 }: { kind: Kind; isLocked?: boolean; size?: number }) {
  const { shape, icon: Icon, hue } = looks[kind];
  return (
    <svg
      className={cx(styles.medal, isLocked && styles.locked)}
      data-hue={hue}
      width={size}
      height={size}
      viewBox="0 0 96 96"
      aria-hidden="true"
    >
      {shape}
      <circle className={styles.core} cx="48" cy="48" r="22" />
      <Icon className={styles.icon} x="34.8" y="34.8" size={26.4} strokeWidth={1.75} />
    </svg>
  );
}
