import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from '../lib/cx.ts';
import styles from './checkbox.module.css';

type Props = {
  isSelected: boolean;
  onChange: (isSelected: boolean) => void;
  children: ReactNode;
};

export function Checkbox({ isSelected, onChange, children }: Props) {
  return (
    <label className={styles.checkbox}>
      <input
        type="checkbox"
        className={cx(styles.input, 'visually-hidden')}
        checked={isSelected}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span className={styles.box} aria-hidden="true">
        <Check size={14} strokeWidth={3} />
      </span>
      {children}
    </label>
  );
}
