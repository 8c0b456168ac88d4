import { CircleAlert, CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from '../lib/cx.ts';
import { areFieldErrors, useProblem } from '../lib/problem.ts';
import styles from './notice.module.css';

/** Errors are announced immediately (alert), successes politely (status). */
export function Notice({ kind, children }: { kind: 'error' | 'success'; children: ReactNode }) {
  const Icon = kind === 'error' ? CircleAlert : CircleCheck;
  return (
    <div role={kind === 'error' ? 'alert' : 'status'} className={cx(styles.notice, styles[kind])}>
      <Icon size={18} />
      <div>{children}</div>
    </div>
  );
}

type ProblemProps = {
  /** None without an error. */
  error: unknown;
  /** Errors of these fields are shown at the fields. */
  besides?: readonly string[];
};

/** What went wrong. */
export function Problem({ error, besides = [] }: ProblemProps) {
  const problem = useProblem();
  if (error == null || areFieldErrors(error, besides)) return null;
  return <Notice kind="error">{problem(error)}</Notice>;
}
