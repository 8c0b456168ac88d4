import { type ReactNode, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';

type Props = {
  'aria-label'?: string;
  'aria-labelledby'?: string;
  className: string;
  /** Absent if the dialog cannot be dismissed. */
  onClose: (() => void) | undefined;
  children: ReactNode;
};

let open: readonly HTMLElement[] = [];
const listeners = new Set<() => void>();

function setOpen(next: readonly HTMLElement[]): void {
  open = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The element that is not covered: the dialog that was opened last, or the page. */
export const useTop = (): HTMLElement => useSyncExternalStore(subscribe, () => open.at(-1) ?? document.body);

/** The `ref` of a bare input that takes the focus when its dialog opens. */
export const takeFocus = (input: HTMLInputElement | null): void => input?.focus();

/** The browser's modal dialog, as large as the window. The page below keeps its state, and the focus returns on close. */
export function Modal({ onClose, children, ...props }: Props) {
  const frame = useRef<HTMLDialogElement>(null);
  const pressed = useRef<EventTarget>(null);
  const [isShown, setShown] = useState(false);
  useLayoutEffect(() => {
    const dialog = frame.current;
    if (dialog === null) return undefined;
    const { documentElement: page } = document;
    page.toggleAttribute('data-scrollbar', innerWidth > page.clientWidth); // its place stays, or the page would move
    dialog.showModal();
    setShown(true); // only now can a field of the content take the focus
    setOpen([...open, dialog]);
    return () => {
      dialog.close(); // the browser returns the focus only before the dialog is removed
      setOpen(open.filter((other) => other !== dialog));
    };
  }, []);
  return createPortal(
    <dialog
      {...props}
      ref={frame}
      tabIndex={-1}
      data-modal
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
        event.stopPropagation(); // a dialog around this one stays open
        if (event.defaultPrevented) return;
        event.preventDefault(); // a search field would only be emptied
        onClose?.();
      }}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return; // of a file field
        event.preventDefault();
        onClose?.();
      }}
      onClose={({ currentTarget: dialog }) => {
        // Browsers close a dialog at the second request in any case.
        if (!dialog.isConnected || dialog.open) return;
        dialog.showModal();
        onClose?.();
      }}
      onPointerDown={({ target }) => {
        pressed.current = target;
      }}
      onClick={({ target, currentTarget }) => {
        // Not when a selection of text that began inside ends here.
        if (target === currentTarget && pressed.current === currentTarget) onClose?.();
      }}
    >
      {isShown && children}
    </dialog>,
    document.body,
  );
}
