import { X } from 'lucide-react';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { useTexts } from '../../lib/texts.ts';
import { Button } from '../../ui/button.tsx';
import styles from './calendar.module.css';
import { recordMessages } from './messages.ts';

const gap = 8;

type Props = {
  title: string;
  /** The record that it edits; absent for a new one. */
  recordId: number | undefined;
  /** On a phone it is at the bottom of the window. */
  isPhone: boolean;
  onClose: () => void;
  children: ReactNode;
};

/** The form of a record, beside its block. */
export function RecordPanel({ title, recordId, isPhone, onClose, children }: Props) {
  const t = useTexts(recordMessages);
  const panel = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const { current } = panel;
    const frame = current?.parentElement;
    if (current === null || frame == null || isPhone) return;
    const anchor = frame.querySelector(recordId === undefined ? '[data-ghost]' : `[data-record="${recordId}"]`);
    const [outer, size] = [frame.getBoundingClientRect(), current.getBoundingClientRect()];
    const at = anchor?.getBoundingClientRect();
    const right = (at?.right ?? outer.right) - outer.left + gap;
    const left = (at?.left ?? outer.right) - outer.left - gap - size.width;
    const isRight = right + size.width <= outer.width - gap;
    const top = Math.min((at?.top ?? outer.top) - outer.top, outer.height - size.height - gap);
    current.style.left = `${isRight ? right : left >= gap ? left : outer.width - size.width - gap}px`;
    current.style.top = `${Math.max(gap, top)}px`;
  }, [recordId, isPhone]);
  return (
    <section ref={panel} className={styles.panel} aria-label={title}>
      <div className={styles.panelHead}>
        <h2>{title}</h2>
        <Button look="quiet" aria-label={t('close')} icon={<X size={18} />} onPress={onClose} />
      </div>
      {children}
    </section>
  );
}
