import { useSyncExternalStore } from 'react';
import { optional } from '../lib/loadable.tsx';
import type { Message, ToastRegionProps } from './toast-widget.tsx';

const load = () => import('./toast-widget.tsx');
export const ToastRegion = optional(load);
const listeners = new Set<() => void>();
let isNeeded = false;

/** Shows a message, optionally with an undo action; `onGone` is called when it disappears. */
export function toast(message: Message, onGone?: () => void): void {
  isNeeded = true;
  for (const listener of listeners) listener();
  // Without the widget nothing can be undone, so the action is carried out.
  load().then(
    ({ add }) => add(message, onGone),
    () => onGone?.(),
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The toasts. The widget is loaded with the first one. */
export function Toasts(props: ToastRegionProps) {
  if (!useSyncExternalStore(subscribe, () => isNeeded)) return null;
  return <ToastRegion {...props} />;
}
