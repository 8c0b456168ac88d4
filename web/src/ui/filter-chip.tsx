import type { LucideIcon } from 'lucide-react';
import styles from './filter-chip.module.css';

type Props = {
  Icon?: LucideIcon | undefined;
  text: string;
  count?: number | string | undefined;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
};

/** A filter that is on or off, with the number of what it would show. */
export function FilterChip({ Icon, text, count, isOn, onChange }: Props) {
  return (
    <button type="button" className={styles.filter} aria-pressed={isOn} onClick={() => onChange(!isOn)}>
      {Icon !== undefined && <Icon size={15} />}
      {text}
      {count !== undefined && <span>{count}</span>}
    </button>
  );
}
