import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from '../lib/cx.ts';
import { useTexts } from '../lib/texts.ts';
import chip from './chip.module.css';
import { Card } from './page.tsx';
import styles from './stats.module.css';

const deltaMessages = {
  more: { en: 'more: ', zh: '增加 ' },
  less: { en: 'less: ', zh: '减少 ' },
} as const;

/** A change with its direction; more is green, less amber. `isMuted` for figures without a judgement. */
export function Delta({ value, children, isMuted = false }: { value: number; children: ReactNode; isMuted?: boolean }) {
  const t = useTexts(deltaMessages);
  const isMore = value > 0;
  return (
    <span className={cx(styles.delta, isMuted ? styles.muted : isMore ? styles.up : styles.down)}>
      <svg width="11" height="9" viewBox="0 0 11 9" aria-hidden="true">
        <path d={isMore ? 'M5.5 0 11 9H0Z' : 'M0 0h11L5.5 9Z'} fill="currentColor" />
      </svg>
      <span className="visually-hidden">{t(isMore ? 'more' : 'less')}</span>
      {children}
    </span>
  );
}

/** Figures side by side in one card. */
export function Stats({ children }: { children: ReactNode }) {
  return (
    <Card className={styles.card}>
      <dl className={styles.stats}>{children}</dl>
    </Card>
  );
}

type StatProps = {
  label: string;
  /** Numbers in it are large, its `small` parts are units. */
  value: ReactNode;
  /** What the figure is compared with. */
  note?: ReactNode;
  /** A small chart at the right. */
  chart?: ReactNode;
};

/** A figure with its name above and a comparison below. */
export function Stat({ label, value, note, chart }: StatProps) {
  return (
    <div className={styles.stat}>
      <dt>{label}</dt>
      <dd className={styles.value}>
        <span>{value}</span>
        {chart}
      </dd>
      {note !== undefined && note !== false && <dd className={styles.note}>{note}</dd>}
    </div>
  );
}

type HeadlineProps = {
  Icon: LucideIcon;
  look: 'good' | 'warn' | 'plain';
  text: string;
  /** Explains the sentence. */
  children: ReactNode;
  /** What to do about it. */
  action?: ReactNode;
  className?: string | undefined;
};

/** What a page says first: one sentence with its icon, and what explains it. */
export function Headline({ Icon, look, text, children, action, className }: HeadlineProps) {
  return (
    <Card className={cx(styles.headline, className)}>
      <span className={cx('square', chip[look])}>
        <Icon size={20} strokeWidth={1.75} />
      </span>
      <div>
        <h2>{text}</h2>
        {children}
      </div>
      {action}
    </Card>
  );
}
