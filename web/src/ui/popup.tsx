import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { cx } from '../lib/cx.ts';
import { Button, type ButtonProps } from './button.tsx';
import styles from './popup.module.css';

type Props = {
  /** The name of the panel. */
  label: string;
  trigger: Omit<ButtonProps, 'onPress'>;
  /** The content; a function gets what closes the panel. */
  children: ReactNode | ((close: () => void) => ReactNode);
  panelClass?: string | undefined;
  className?: string | undefined;
};

/** The space between the button and the panel, and between the panel and the window. */
const gap = 8;

/** Places a panel below its button, or above it if it fits only there; within the window in any case. */
function place(panel: HTMLElement, anchor: Element): void {
  const [at, size] = [anchor.getBoundingClientRect(), panel.getBoundingClientRect()];
  const [below, above] = [at.bottom + gap, at.top - gap - size.height];
  const lowest = window.innerHeight - size.height - gap;
  const left = Math.min(window.innerWidth - size.width - gap, at.right - size.width);
  panel.style.top = `${below > lowest && above >= gap ? above : Math.max(gap, Math.min(below, lowest))}px`;
  panel.style.left = `${Math.max(gap, left)}px`;
}

/**
 * A button with a small panel of controls, closed by Escape, a press outside or the focus leaving it. The panel is in the
 * layer above the page, where nothing cuts it off.
 */
export function Popup({ label, trigger, children, panelClass, className }: Props) {
  const [isOpen, setOpen] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const panel = useRef<HTMLFieldSetElement>(null);
  useLayoutEffect(() => {
    const [shown, anchor] = [panel.current, frame.current?.querySelector('button')];
    if (!isOpen || shown === null || anchor == null) return undefined;
    shown.showPopover();
    const follow = () => place(shown, anchor);
    const resized = new ResizeObserver(follow); // also tells the first size
    resized.observe(shown);
    window.addEventListener('resize', follow);
    document.addEventListener('scroll', follow, true);
    return () => {
      resized.disconnect();
      window.removeEventListener('resize', follow);
      document.removeEventListener('scroll', follow, true);
    };
  }, [isOpen]);

  function close(): void {
    setOpen(false);
    frame.current?.querySelector('button')?.focus();
  }
  useEffect(() => {
    if (!isOpen) return undefined;
    const onPress = ({ target }: Event) => {
      if (target instanceof Node && frame.current?.contains(target) === false) setOpen(false);
    };
    document.addEventListener('pointerdown', onPress);
    return () => document.removeEventListener('pointerdown', onPress);
  }, [isOpen]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: closes the panel, which has its own controls
    <div
      ref={frame}
      className={cx(styles.popup, className)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return;
        event.stopPropagation(); // a surrounding dialog stays open
        close();
      }}
      onBlur={({ relatedTarget }) => {
        if (relatedTarget !== null && frame.current?.contains(relatedTarget) === false) setOpen(false);
      }}
    >
      <Button {...trigger} aria-expanded={isOpen} onPress={() => setOpen(!isOpen)} />
      {isOpen && (
        // A press between its controls moves the focus to it, not to what is around the popup.
        <fieldset ref={panel} popover="manual" className={cx(styles.panel, panelClass)} tabIndex={-1}>
          <legend className="visually-hidden">{label}</legend>
          {typeof children === 'function' ? children(close) : children}
        </fieldset>
      )}
    </div>
  );
}
