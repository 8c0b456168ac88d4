import { useLayoutEffect, useRef } from 'react';
import { settings } from './settings.ts';

/** Shortcuts, explained on the help page. Those that open pages after `g` are in frame/navigation.tsx. */
export const shortcuts = {
  palette: 'mod k',
  search: '/',
  help: '?',
  timer: 's',
  other: 'S',
  earlier: '-',
  focus: 'f',
  record: 'r',
  next: 'j',
  previous: 'k',
  pick: 'x',
  resolve: 'e',
  review: 'v',
  note: 'n',
  account: 'a',
  undo: 'z',
} as const;
export type Shortcut = keyof typeof shortcuts;

/** Actions by key, or by two keys separated by a space. */
type Actions = Readonly<Record<string, () => void>>;

export const isMac = /Mac|iP(hone|ad)/.test(navigator.platform);
/** Elements in which letters are text, or search a list. */
const fields =
  'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role=grid] *, [role=listbox] *';
/** Not focus mode, which has shortcuts of its own. */
const overlays = 'dialog[data-modal], [role=menu]';
/** The time to press the second of two keys. */
const pauseMilliseconds = 1500;

const layers: { readonly current: Actions }[] = [];
let before = { key: '', at: -pauseMilliseconds };

/** After a press on a link or button that opened another page, letters may be meant for a field that is still to come. */
const settleMilliseconds = 1000;
let [openedAt, isByKey] = [Number.NEGATIVE_INFINITY, false];
for (const name of ['pushState', 'replaceState'])
  window.addEventListener(name, ({ timeStamp }) => {
    if (!isByKey) openedAt = timeStamp;
  });

/** The current action of the keys; inner components override outer ones. */
export function actionOf(keys: string): (() => void) | undefined {
  return layers.findLast(({ current }) => current[keys] !== undefined)?.current[keys];
}

document.addEventListener('keydown', (event) => {
  const { key, target, timeStamp: at } = event;
  if (event.altKey || event.repeat || event.isComposing || document.querySelector(overlays) !== null) return;
  const action = event.ctrlKey || event.metaKey ? withModifier(event) : single();
  if (action === undefined) return;
  event.preventDefault(); // otherwise the letter would be typed into the field that the action focuses
  isByKey = true;
  action();
  isByKey = false;

  function single() {
    if (
      !settings.get().keys ||
      at - openedAt < settleMilliseconds ||
      (target instanceof Element && target.matches(fields))
    )
      return undefined;
    const found = (at - before.at < pauseMilliseconds && actionOf(`${before.key} ${key}`)) || actionOf(key);
    before = { key, at };
    return found;
  }
});

const withModifier = ({ key, shiftKey, ctrlKey, metaKey }: KeyboardEvent) =>
  !shiftKey && (isMac ? metaKey : ctrlKey) ? actionOf(`mod ${key.toLowerCase()}`) : undefined;

/**
 * Shortcuts of a mounted component: inactive while typing or under a dialog. Single keys can be switched off, because
 * speech input would trigger them (WCAG 2.1.4).
 */
export function useShortcuts(actions: Actions): void {
  const latest = useRef(actions);
  latest.current = actions;
  // Before the first paint: keys must work as soon as the page is visible.
  useLayoutEffect(() => {
    layers.push(latest);
    return () => void layers.splice(layers.indexOf(latest), 1);
  }, []);
}
