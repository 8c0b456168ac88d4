import { useSyncExternalStore } from 'react';
import { session } from '../../lib/session.ts';

/** A named filter, order and set of columns: the query of the page's address. */
export type View = { name: string; query: string };
const maxViews = 20;
const keyOf = () => `studytrack.views.${session.get().account?.id}`;
const listeners = new Set<() => void>();
const none: readonly View[] = [];
let read: { text: string; views: readonly View[] } = { text: '', views: none };

const isView = (value: unknown): value is View =>
  typeof value === 'object' && value !== null && 'name' in value && 'query' in value;

function views(): readonly View[] {
  try {
    const text = localStorage.getItem(keyOf()) ?? '';
    if (text === read.text) return read.views;
    const value: unknown = JSON.parse(text === '' ? '[]' : text);
    read = { text, views: Array.isArray(value) ? value.filter(isView) : none };
    return read.views;
  } catch {
    return none; // storage is blocked, or the value is invalid
  }
}

function write(next: readonly View[]): void {
  try {
    localStorage.setItem(keyOf(), JSON.stringify(next));
  } catch {
    // blocked or full: the address still keeps the view
  }
  for (const listener of listeners) listener();
}

/** Views that the user has saved in this browser. */
export const savedViews = {
  save: (view: View) => write([...views().filter(({ name }) => name !== view.name), view].slice(-maxViews)),
  remove: (name: string) => write(views().filter((view) => view.name !== name)),
};

export const useSavedViews = () =>
  useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, views);
