import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from '../lib/cx.ts';
import styles from './sort-column.module.css';

type Props = {
  text: string;
  /** The current order; undefined if the table is sorted by another column. */
  order: 'asc' | 'desc' | undefined;
  /** Absent if the table cannot be sorted by it. */
  onSort?: (() => void) | undefined;
  className?: string | undefined;
  /** Below the name. */
  children?: ReactNode;
};

const names = { asc: 'ascending', desc: 'descending' } as const;

/** A column header that sorts the table; pressed again, it reverses the order. */
export function SortColumn({ text, order, onSort, className, children }: Props) {
  if (onSort === undefined)
    return (
      <th scope="col" className={className}>
        {text}
        {children}
      </th>
    );
  const Icon = order === 'asc' ? ArrowUp : ArrowDown;
  return (
    <th scope="col" className={className} aria-sort={order === undefined ? 'none' : names[order]}>
      <button type="button" className={cx(styles.sort, order !== undefined && styles.sorted)} onClick={onSort}>
        {text}
        {order !== undefined && <Icon size={14} />}
      </button>
      {children}
    </th>
  );
}
