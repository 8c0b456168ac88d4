import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { cx } from '../lib/cx.ts';
import styles from './button.module.css';

type Props = {
  href: string;
  look?: 'primary' | 'plain' | 'quiet';
  icon?: ReactNode;
  onClick?: () => void;
  children: ReactNode;
};

/** A link to another page that looks like a button. */
export function LinkButton({ href, look = 'plain', icon, onClick, children }: Props) {
  return (
    <Link
      href={href}
      className={cx(styles.button, styles.link, styles[look])}
      {...(onClick !== undefined && { onClick })}
    >
      {icon}
      {children}
    </Link>
  );
}
