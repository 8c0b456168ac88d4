import { CircleAlert, CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from '../lib/cx.ts';
import styles from './notice.module.css';

/** What went wrong is announced at once, what went well when there is time. */
export function Notice({ kind, children }: { kind: 'error' | 'success'; children: ReactNode }) {
  const Icon = kind === 'error' ? CircleAlert : CircleCheck;
  return (
    <div role={kind === 'error' ? 'alert' : 'status'} className={cx(styles.notice, styles[kind])}>
      <Icon size={18} aria-hidden="true" />
      <div>{children}</div>
    </div>
  );
}
