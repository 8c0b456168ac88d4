import { type ReactNode, useEffect, useRef } from 'react';
import { cx } from '../lib/cx.ts';
import styles from './page.module.css';

type PageProps = { title: string; actions?: ReactNode; children: ReactNode };

/** A page with its heading, which gets the focus after a navigation, so that screen readers say where one is. */
export function Page({ title, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} – Studytrack`;
  }, [title]);
  useEffect(() => {
    const { activeElement: focused } = document;
    const main = heading.current?.closest('main');
    const isInside = focused !== main && main?.contains(focused) === true; // a field of the new page may have it
    // The first page is where the browser has scrolled it; asking for that now would compute the layout once more.
    if (!isInside && (focused === null || focused === document.body || navigated))
      heading.current?.focus({ preventScroll: !navigated });
    navigated = true;
  }, []);
  return (
    <>
      <div className={styles.head}>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {actions !== undefined && <div className={cx(styles.actions, 'no-print')}>{actions}</div>}
      </div>
      {children}
    </>
  );
}
let navigated = false;

type CardProps = { title?: string; actions?: ReactNode; children: ReactNode; className?: string | undefined };

/** One part of a page, with its heading. */
export function Card({ title, actions, children, className = '' }: CardProps) {
  return (
    <section className={cx(styles.card, className)}>
      {(title !== undefined || actions !== undefined) && (
        <div className={styles.cardHead}>
          {title !== undefined && <h2>{title}</h2>}
          {actions}
        </div>
      )}
      {children}
    </section>
  );
}

/** In place of content that does not exist yet, with what to do about it. */
export function Empty({ children }: { children: ReactNode }) {
  return <div className={styles.empty}>{children}</div>;
}

/** In place of content that is on its way; it shows itself only when that takes longer than a moment. */
export function Skeleton({ label, lines = 3 }: { label: string; lines?: number }) {
  return (
    <div className={styles.skeleton} role="status" aria-label={label}>
      {Array.from({ length: lines }, (_, line) => `line ${line}`).map((line) => (
        <span key={line} />
      ))}
    </div>
  );
}

/** How much of a goal is done. The text beside it says the same in numbers. */
export function Progress({ percent, label }: { percent: number; label: string }) {
  const shown = Math.max(0, Math.min(100, percent));
  return (
    <div
      className={styles.progress}
      role="progressbar"
      aria-label={label}
      aria-valuenow={Math.round(shown)}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <span style={{ width: `${shown}%` }} />
    </div>
  );
}
