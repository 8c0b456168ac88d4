import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { cx } from '../lib/cx.ts';
import styles from './button.module.css';

type Props = {
  href: string;
  look?: 'primary' | 'plain' | 'quiet';
  icon?: ReactNode;
  onClick?: () => void;
  isSmall?: boolean;
  children: ReactNode;
};

/** A link to another page that looks like a button. */
export function LinkButton({ href, look = 'plain', icon, onClick, isSmall = false, children }: Props) {
  return (
    <Link
      href={href}
      className={cx(styles.button, styles.link, styles[look], isSmall && styles.small)}
      {...(onClick !== undefined && { onClick })}
    >
      {icon}
      {children}
    </Link>
  );
}
