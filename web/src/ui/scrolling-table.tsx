import type { ReactNode } from 'react';
import { cx } from '../lib/cx.ts';
import styles from './scrolling-table.module.css';

type Props = {
  name: string;
  head: readonly string[];
  /** Shows the name above the table. */
  hasCaption?: boolean;
  className?: string | undefined;
  children: ReactNode;
};

/** A table of a limited height, which scrolls. */
export function ScrollingTable({ name, head, hasCaption = false, className, children }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={cx(styles.scroll, className)} tabIndex={0} aria-label={name}>
      <table className={styles.table}>
        {hasCaption && <caption>{name}</caption>}
        <thead>
          <tr>
            {head.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}
