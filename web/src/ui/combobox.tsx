import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { cx } from '../lib/cx.ts';
import styles from './combobox.module.css';

type Options = {
  /** The label of the list. */
  label: string;
  /** How many options the list has; it is closed without any. */
  count: number;
  /** The option that is selected until an arrow key selects another one. */
  preferred?: number | undefined;
  /** The list is the content of a dialog, which Escape closes. */
  isAlwaysOpen?: boolean;
  onChoose: (index: number) => void;
};

/** The state and the attributes of a text field with a list of options below it. The focus stays in the field. */
export function useCombobox({ label, count, preferred, isAlwaysOpen = false, onChoose }: Options) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [moved, setMoved] = useState<number>();
  const isShown = (isOpen || isAlwaysOpen) && count > 0;
  const active = moved ?? preferred;

  /** Returns whether the key was one of the list's. */
  function onKey(event: KeyboardEvent): boolean {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      setOpen(true);
      if (count > 0) {
        const next = ((active ?? (step > 0 ? -1 : 0)) + step + count) % count;
        setMoved(next);
        document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' });
      }
    } else if (event.key === 'Escape' && isShown && !isAlwaysOpen) {
      event.stopPropagation(); // a dialog around the field stays open
      setOpen(false);
    } else if (event.key === 'Enter' && isShown && active !== undefined) onChoose(active);
    else return false;
    event.preventDefault();
    return true;
  }

  return {
    isShown,
    active,
    onKey,
    open: () => setOpen(true),
    close: () => setOpen(false),
    /** Call it when the options change. */
    reset: () => setMoved(undefined),
    inputProps: {
      role: 'combobox',
      'aria-expanded': isShown,
      'aria-controls': isShown ? `${id}-list` : undefined,
      'aria-activedescendant': isShown && active !== undefined ? `${id}-${active}` : undefined,
      'aria-autocomplete': 'list',
      autoComplete: 'off',
      onClick: () => setOpen(true),
    } as const,
    list: (className: string | undefined, options: ReactNode) =>
      isShown && (
        <div id={`${id}-list`} role="listbox" aria-label={label} className={cx(styles.list, className)}>
          {options}
        </div>
      ),
    option: (index: number, content: ReactNode, className = cx(styles.option, index === active && styles.active)) => (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keyboard
      // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
      <div
        key={index}
        id={`${id}-${index}`}
        role="option"
        aria-selected={index === active}
        className={className}
        onPointerDown={(event) => event.preventDefault()} // keeps the focus in the field
        onClick={() => onChoose(index)}
      >
        {content}
      </div>
    ),
  };
}
