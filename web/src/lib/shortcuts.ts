import { useLayoutEffect, useRef } from 'react';
import { settings } from './settings.ts';

/** Keys that do something by themselves. The help page says what; those of the pages, after `g`, are in frame/places.tsx. */
export const shortcuts = {
  palette: 'mod k',
  search: '/',
  help: '?',
  timer: 's',
  other: 'S',
  earlier: '-',
  record: 'r',
  next: 'j',
  previous: 'k',
  pick: 'x',
  resolve: 'e',
  review: 'v',
  note: 'n',
  account: 'a',
} as const;
export type Shortcut = keyof typeof shortcuts;

/** What keys do: one, or two with a space between. */
type Actions = Readonly<Record<string, () => void>>;

export const isMac = /Mac|iP(hone|ad)/.test(navigator.platform);
/** Letters typed there are text, or find an entry of a list. */
const fields =
  'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role=grid] *, [role=listbox] *';
const overlays = '[role=dialog], [role=menu]';
/** So long the first of two keys waits for the second. */
const pauseMilliseconds = 1500;

const layers: { readonly current: Actions }[] = [];
let before = { key: '', at: -pauseMilliseconds };

/** What the keys do now; a part of the page overrides what is around it. */
export function actionOf(keys: string): (() => void) | undefined {
  return layers.findLast(({ current }) => current[keys] !== undefined)?.current[keys];
}

document.addEventListener('keydown', (event) => {
  const { key, target, timeStamp: at } = event;
  if (event.altKey || event.repeat || event.isComposing || document.querySelector(overlays) !== null) return;
  const action = event.ctrlKey || event.metaKey ? withModifier(event) : single();
  if (action === undefined) return;
  event.preventDefault(); // or the letter would be typed into the field that the action focuses
  action();

  function single() {
    if (!settings.get().keys || (target instanceof Element && target.matches(fields))) return undefined;
    const found = (at - before.at < pauseMilliseconds && actionOf(`${before.key} ${key}`)) || actionOf(key);
    before = { key, at };
    return found;
  }
});

const withModifier = ({ key, shiftKey, ctrlKey, metaKey }: KeyboardEvent) =>
  !shiftKey && (isMac ? metaKey : ctrlKey) ? actionOf(`mod ${key.toLowerCase()}`) : undefined;

/**
 * Shortcuts of a part of the page, while it is shown: not while somebody types, not under a dialog; single keys only if they
 * are switched on, because those who speak to their device would trigger them with any word (WCAG 2.1.4).
 */
export function useShortcuts(actions: Actions): void {
  const latest = useRef(actions);
  latest.current = actions;
  // Before the first paint: a key may be pressed as soon as the page is seen.
  useLayoutEffect(() => {
    layers.push(latest);
    return () => void layers.splice(layers.indexOf(latest), 1);
  }, []);
}
