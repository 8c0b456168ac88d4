import { type KeyboardEvent, type ReactNode, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { Button, type ButtonProps } from './button.tsx';
import styles from './menu.module.css';
import { useAnchor } from './use-anchor.ts';
import { useTypeahead } from './use-typeahead.ts';

type Entry = { id: string; text: string; icon?: ReactNode; lang?: string };
type Props = {
  /** The button that opens it. */
  trigger: Omit<ButtonProps, 'onPress'>;
  label: string;
  entries: readonly Entry[];
  onAction: (id: string) => void;
  /** The selected entry, in a menu of options. */
  chosen?: string;
  /** More sections, of options. */
  options?: readonly { label: string; entries: readonly Entry[]; chosen: string }[];
  /** Below all sections. */
  last?: Entry;
};

/** A menu and its button. */
export function Menu({ trigger, ...props }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  /** Which item gets the focus; none after a press with a pointer. */
  const [start, setStart] = useState<'first' | 'last' | 'none'>();
  const isOpen = start !== undefined;
  const hide = () => setStart(undefined);

  return (
    <>
      <Button
        {...trigger}
        ref={button}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onPress={() => setStart(isOpen ? undefined : button.current?.matches(':focus-visible') ? 'first' : 'none')}
        onKeyDown={(event) => {
          const first = { ArrowDown: 'first', ArrowUp: 'last' } as const;
          if (!(event.key in first)) return;
          event.preventDefault();
          setStart(first[event.key as keyof typeof first]);
        }}
      />
      {isOpen && <List {...props} start={start} button={button} hide={hide} />}
    </>
  );
}

type ListProps = Omit<Props, 'trigger'> & {
  start: 'first' | 'last' | 'none';
  button: RefObject<HTMLButtonElement | null>;
  hide: () => void;
};

const itemsOf = (list: HTMLElement) => [...list.querySelectorAll<HTMLElement>('[role^=menuitem]')];

function List({ label, entries, onAction, chosen, options = [], last, start, button, hide }: ListProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const find = useTypeahead();
  useAnchor(true, list, button, hide);
  useLayoutEffect(() => {
    if (list.current === null) return;
    const items = itemsOf(list.current);
    const wanted = chosen === undefined ? undefined : items.find((item) => item.ariaChecked === 'true');
    const byKey = start === 'none' ? list.current : items.at(start === 'first' ? 0 : -1);
    (wanted ?? byKey)?.focus();
  }, [chosen, start]);

  function close(): void {
    hide();
    button.current?.focus();
  }
  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const items = itemsOf(event.currentTarget);
    const at = items.findIndex((item) => item.matches(':focus'));
    const positions: Readonly<Record<string, number>> = {
      ArrowDown: (at + 1) % items.length,
      ArrowUp: Math.max(at, 0) - 1,
      Home: 0,
      End: -1,
    };
    const texts = items.map(({ textContent }) => textContent);
    const position = positions[event.key] ?? find(event, texts, at);
    if (event.key === 'Escape' || event.key === 'Tab') close();
    else if (position === undefined) return;
    else items.at(position)?.focus();
    event.stopPropagation();
    if (event.key !== 'Tab') event.preventDefault();
  }
  const itemOf = (entry: Entry, selected = chosen) => (
    <button
      key={entry.id}
      type="button"
      tabIndex={-1}
      className={styles.item}
      {...(selected === undefined
        ? { role: 'menuitem' }
        : { role: 'menuitemradio', 'aria-checked': entry.id === selected })}
      onPointerMove={({ currentTarget, pointerType }) => pointerType === 'mouse' && currentTarget.focus()}
      onClick={() => {
        close();
        onAction(entry.id);
      }}
    >
      {entry.icon}
      <span lang={entry.lang}>{entry.text}</span>
    </button>
  );

  return createPortal(
    <div
      ref={list}
      popover="manual"
      role="menu"
      tabIndex={-1}
      aria-label={label}
      className={styles.menu}
      onKeyDown={onKeyDown}
    >
      {entries.map((entry) => itemOf(entry))}
      {options.map((section, index) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of items
        <div key={section.label} role="group" aria-labelledby={`${id}-${index}`} className={styles.section}>
          <div id={`${id}-${index}`} role="presentation" className={styles.title}>
            {section.label}
          </div>
          {section.entries.map((entry) => itemOf(entry, section.chosen))}
        </div>
      ))}
      {last !== undefined && (
        <div role="presentation" className={styles.section}>
          {itemOf(last)}
        </div>
      )}
    </div>,
    document.body,
  );
}
