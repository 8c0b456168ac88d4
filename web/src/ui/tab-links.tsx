import { Link } from 'wouter';
import styles from './tab-links.module.css';

type Props = {
  label: string;
  tabs: readonly { href: string; text: string; count?: number | undefined; isHere: boolean }[];
};

/** The views of one thing, each with its own address. */
export function TabLinks({ label, tabs }: Props) {
  return (
    <nav className={`${styles.tabs} no-print`} aria-label={label}>
      {tabs.map(({ href, text, count, isHere }) => (
        <Link key={href} href={href} replace aria-current={isHere ? 'page' : undefined}>
          {text}
          {count !== undefined && <span> {count}</span>}
        </Link>
      ))}
    </nav>
  );
}
