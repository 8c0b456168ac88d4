import { Suspense, useSyncExternalStore } from 'react';
import { loadable } from '../lib/loadable.tsx';
import type { Message, ToastRegionProps } from './toast-widget.tsx';

const load = () => import('./toast-widget.tsx');
export const ToastRegion = loadable(load);
const listeners = new Set<() => void>();
let isNeeded = false;

/** Says that something happened, with a way to take it back; `onGone` is called when it is too late for that. */
export function toast(message: Message, onGone?: () => void): void {
  isNeeded = true;
  for (const listener of listeners) listener();
  // Without its widget nothing can be taken back: what was asked for is done.
  load().then(
    ({ add }) => add(message, onGone),
    () => onGone?.(),
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Where messages appear. The widget is loaded with the first one. */
export function Toasts(props: ToastRegionProps) {
  if (!useSyncExternalStore(subscribe, () => isNeeded)) return null;
  return (
    <Suspense fallback={null}>
      <ToastRegion {...props} />
    </Suspense>
  );
}
