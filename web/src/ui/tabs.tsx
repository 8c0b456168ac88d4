import { Link } from 'wouter';
import { cx } from '../lib/cx.ts';
import styles from './tabs.module.css';

type Props = {
  label: string;
  tabs: readonly { href: string; text: string; count?: number | undefined; isCurrent: boolean }[];
};

/** The parts of a page, each with an address of its own. */
export function Tabs({ label, tabs }: Props) {
  return (
    <nav aria-label={label} className={cx(styles.tabs, 'no-print')}>
      {tabs.map(({ href, text, count, isCurrent }) => (
        <Link key={href} href={href} aria-current={isCurrent ? 'page' : undefined}>
          {text}
          {count !== undefined && <span> {count}</span>}
        </Link>
      ))}
    </nav>
  );
}
