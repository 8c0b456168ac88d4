import { type ReactNode, useEffect, useRef } from 'react';
import { cx } from '../lib/cx.ts';
import { shownPercent } from '../lib/percent.ts';
import { useLater } from '../lib/use-later.ts';
import card from './card.module.css';
import styles from './page.module.css';

type PageProps = {
  title: string;
  /** The heading, if it says more than the title of the tab. */
  heading?: ReactNode;
  actions?: ReactNode;
  /** Directly after the heading. */
  beside?: ReactNode;
  /** Before the heading. */
  mark?: ReactNode;
  /** A line above the heading: where the page belongs. */
  above?: ReactNode;
  /** A sentence below the heading. */
  below?: string;
  /** The heading is for screen readers only, except on phones: the content has one of its own. */
  isBare?: boolean;
  children: ReactNode;
};

/** A page whose heading gets the focus after navigation, so that screen readers announce it. */
export function Page({
  title,
  heading: shown = title,
  actions,
  beside,
  mark,
  above,
  below,
  isBare = false,
  children,
}: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} – Studytrack`;
  }, [title]);
  useEffect(() => {
    const { activeElement: focused } = document;
    const main = heading.current?.closest('main');
    const isInside = focused !== main && main?.contains(focused) === true; // the new page may have focused a field
    const { pathname } = location;
    // The same page is mounted again when its data arrive: the focus then stays in the timer or a menu.
    const hasNavigated = lastPath !== undefined && lastPath !== pathname;
    // The browser has already scrolled the first page; scrolling again would force another layout.
    if (!isInside && (focused === null || focused === document.body || hasNavigated))
      heading.current?.focus({ preventScroll: lastPath === undefined });
    lastPath = pathname;
  }, []);
  return (
    <>
      <div className={cx(styles.head, isBare && styles.bare)}>
        {mark}
        <div className={cx(styles.title, beside !== undefined && styles.short)}>
          {above !== undefined && <p>{above}</p>}
          <h1 ref={heading} tabIndex={-1}>
            {shown}
          </h1>
          {below !== undefined && <p>{below}</p>}
        </div>
        {beside}
        {actions !== undefined && <div className={cx(styles.actions, 'no-print')}>{actions}</div>}
      </div>
      <Deferred>{children}</Deferred>
    </>
  );
}
/** The path of the page shown last. */
let lastPath: string | undefined;

/** Content that is first rendered after what surrounds it. */
export function Deferred({ children }: { children: ReactNode }) {
  return useLater() ? children : null;
}

type CardProps = {
  title?: string;
  /** More about the content, beside the title. */
  context?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  className?: string | undefined;
  /** The number of a colour, shown at the edge. */
  hue?: number;
  /** The content reaches the edges, such as a table. */
  isFlush?: boolean;
};

/** A section of a page with a heading. */
export function Card({ title, context, actions, children, className = '', hue, isFlush = false }: CardProps) {
  return (
    <section
      className={cx(card.card, hue !== undefined && card.marked, isFlush && card.flush, className)}
      data-hue={hue}
    >
      {(title !== undefined || actions !== undefined) && (
        <div className={card.cardHead}>
          {title !== undefined && <h2>{title}</h2>}
          {context !== undefined && <p className={card.context}>{context}</p>}
          {actions}
        </div>
      )}
      {children}
    </section>
  );
}

/** An empty state, with what to do about it. */
export function Empty({ children }: { children: ReactNode }) {
  return <div className={card.empty}>{children}</div>;
}

/** A placeholder for loading content, visible only after a short delay. */
export function Skeleton({ label, lines = 3 }: { label: string; lines?: number }) {
  return (
    <div className={card.skeleton} role="status" aria-label={label}>
      {Array.from({ length: lines }, (_, line) => `line ${line}`).map((line) => (
        <span key={line} />
      ))}
    </div>
  );
}

/** A progress bar. Text beside it gives the numbers. */
export function Progress({ percent, label }: { percent: number; label: string }) {
  const shown = shownPercent(percent);
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
