import { type ReactNode, useRef, useState } from 'react';
import { Button, type ButtonProps } from './button.tsx';
import styles from './popup.module.css';
import { useAnchor } from './use-anchor.ts';

type Props = {
  /** The name of the panel. */
  label: string;
  trigger: Omit<ButtonProps, 'onPress'>;
  /** The content; a function gets what closes the panel. */
  children: ReactNode | ((close: () => void) => ReactNode);
};

/**
 * A button with a small panel of controls, closed by Escape, a press outside or the focus leaving it. The panel is in the
 * layer above the page, where nothing cuts it off.
 */
export function Popup({ label, trigger, children }: Props) {
  const [isOpen, setOpen] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const panel = useRef<HTMLFieldSetElement>(null);
  useAnchor(isOpen, panel, frame, () => setOpen(false));

  function close(): void {
    setOpen(false);
    frame.current?.querySelector('button')?.focus();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: closes the panel, which has its own controls
    <div
      ref={frame}
      className={styles.popup}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return;
        event.stopPropagation(); // a surrounding dialog stays open
        event.preventDefault();
        close();
      }}
      onBlur={({ relatedTarget }) => {
        if (relatedTarget !== null && frame.current?.contains(relatedTarget) === false) setOpen(false);
      }}
    >
      <Button {...trigger} aria-expanded={isOpen} onPress={() => setOpen(!isOpen)} />
      {isOpen && (
        // A press between its controls moves the focus to it, not to what is around the popup.
        <fieldset ref={panel} popover="manual" className={styles.panel} tabIndex={-1}>
          <legend className="visually-hidden">{label}</legend>
          {typeof children === 'function' ? children(close) : children}
        </fieldset>
      )}
    </div>
  );
}
