import { useCallback, useRef, useState } from 'react';
import { session } from './session.ts';

const prefix = 'studytrack.draft.';
const prefixOf = (person: number | undefined) => `${prefix}${person ?? 'stranger'}.`;
const keyOf = (name: string) => prefixOf(session.get().account?.id) + name;

/** The storage of this tab outlives a reload, not the tab. */
function read(key: string): object | undefined {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null');
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined; // storage is forbidden, or something else wrote there
  }
}

function write(key: string, value: object | undefined): void {
  try {
    if (value === undefined) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // forbidden or full: the draft lives as long as its form
  }
}

// Drafts survive a sign-in that expires, for the same person. They end when the user signs out or another one signs in.
let person = session.get().account?.id;
session.subscribe(() => {
  const { state, account } = session.get();
  if (state === 'out' ? person !== undefined : account !== undefined && account.id !== person)
    forgetOthers(account?.id);
  person = account?.id;
});

function forgetOthers(id: number | undefined): void {
  const isKept = (key: string) => key.startsWith(prefixOf(undefined)) || key.startsWith(prefixOf(id));
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix) && !isKept(key)) write(key, undefined);
  } catch {
    // forbidden: there are none
  }
}

/** Whether something was written in a form and not sent: then it opens again after a reload. */
export const hasDraft = (name: string): boolean => read(keyOf(name)) !== undefined;

/**
 * The fields of a form, kept through a reload and an expired sign-in until `clear` is called: when they were sent, or given
 * up. `isRestored` says that they are from before. No passwords: they are in no storage.
 */
export function useDraft<T extends object>(name: string, initial: () => T) {
  const [key] = useState(() => keyOf(name));
  const [{ value, isRestored }, setState] = useState(() => {
    const stored = read(key) as Partial<T> | undefined; // written by this hook, perhaps by an older version of the form
    return { value: { ...initial(), ...stored }, isRestored: stored !== undefined };
  });
  const latest = useRef(value);

  const set = useCallback(
    (changed: Partial<T>): void => {
      latest.current = { ...latest.current, ...changed };
      write(key, latest.current);
      setState((before) => ({ ...before, value: latest.current }));
    },
    [key],
  );
  const clear = useCallback((): void => write(key, undefined), [key]);
  /** Gives up what was written, for the fields as they would have been, or are now. */
  const reset = (next: T = initial()): void => {
    clear();
    latest.current = next;
    setState({ value: next, isRestored: false });
  };
  return { value, set, clear, reset, isRestored };
}
