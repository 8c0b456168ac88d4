import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from '../lib/cx.ts';
import styles from './steps.module.css';

type Props = {
  label: string;
  steps: readonly ReactNode[];
  /** The index of the step that is due; those before it are done. */
  current: number;
};

/** The steps of a task in a row: done, due, and to come. */
export function Steps({ label, steps, current }: Props) {
  return (
    <ol className={styles.steps} aria-label={label}>
      {steps.map((step, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: the steps keep their order
          key={index}
          className={cx(index < current && styles.done, index === current && styles.now)}
          aria-current={index === current ? 'step' : undefined}
        >
          {index < current && <Check size={16} />}
          {step}
        </li>
      ))}
    </ol>
  );
}
