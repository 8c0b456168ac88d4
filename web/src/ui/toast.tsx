import { X } from 'lucide-react';
import { useEffect, useId, useRef, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { commonMessages } from '../lib/messages.ts';
import { useTexts } from '../lib/texts.ts';
import { Button } from './button.tsx';
import { useTop } from './modal.tsx';
import styles from './toast.module.css';

const messages = {
  title: { en: 'Messages', zh: '消息' },
  undo: { en: 'Undo', zh: '撤销' },
} as const;

type Message = { text: string; undo?: () => void; action?: { text: string; run: () => void } };
type Toast = Message & { id: number; onGone: (() => void) | undefined };

/** How long an action can be undone. */
const undoMilliseconds = 8000;
const maxVisible = 3;

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function show(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Shows a message, optionally with an undo action; `onGone` is called when it disappears. */
export function toast(message: Message, onGone?: () => void): void {
  lastId += 1;
  show([{ ...message, id: lastId, onGone }, ...toasts]);
}

function close({ id, onGone }: Toast): void {
  show(toasts.filter((shown) => shown.id !== id));
  onGone?.();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The toasts, which F6 reaches. Their time stands still while one of them is hovered or focused. */
export function Toasts() {
  const t = useTexts(messages);
  const shown = useSyncExternalStore(subscribe, () => toasts).slice(0, maxVisible);
  const top = useTop(); // what a dialog covers can be neither read nor pressed
  const region = useRef<HTMLElement>(null);
  const before = useRef<Element>(null);
  const [isHovered, setHovered] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const isEmpty = shown.length === 0;
  useEffect(() => {
    if (isEmpty) return undefined;
    const onKey = ({ key }: KeyboardEvent) => key === 'F6' && region.current?.focus();
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('keydown', onKey);
      setHovered(false); // what disappears tells neither
      setFocused(false);
    };
  }, [isEmpty]);
  if (isEmpty) return null;

  /** The focus stays with the other messages, or returns to where it was. */
  function closeByUser(message: Toast): void {
    close(message);
    if (toasts.length > 0) region.current?.focus();
    else if (before.current instanceof HTMLElement) before.current.focus();
  }
  return createPortal(
    <section
      ref={region}
      tabIndex={-1}
      aria-label={t('title')}
      className={styles.region}
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
      onFocus={({ relatedTarget, currentTarget }) => {
        if (!currentTarget.contains(relatedTarget)) before.current = relatedTarget;
        setFocused(true);
      }}
      onBlur={() => setFocused(false)}
    >
      {shown.map((message) => (
        <Line key={message.id} message={message} isPaused={isHovered || isFocused} onClose={closeByUser} />
      ))}
    </section>,
    top,
  );
}

type LineProps = { message: Toast; isPaused: boolean; onClose: (message: Toast) => void };

function Line({ message, isPaused, onClose }: LineProps) {
  const t = useTexts(messages);
  const common = useTexts(commonMessages);
  const id = useId();
  const { text, undo } = message;
  const action = undo === undefined ? message.action : { text: t('undo'), run: undo };
  useEffect(() => {
    if (isPaused) return undefined;
    const timer = setTimeout(() => close(message), undoMilliseconds);
    return () => clearTimeout(timer);
  }, [isPaused, message]);
  return (
    <div role="alertdialog" aria-labelledby={id} className={styles.toast}>
      <p id={id} role="alert" className={styles.content}>
        {text}
      </p>
      {action !== undefined && (
        <Button
          onPress={() => {
            action.run();
            onClose(message);
          }}
        >
          {action.text}
        </Button>
      )}
      <Button look="quiet" aria-label={common('close')} icon={<X size={18} />} onPress={() => onClose(message)} />
    </div>
  );
}
