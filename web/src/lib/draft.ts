import { useCallback, useRef, useState } from 'react';
import { session } from './session.ts';
import { tabStorage } from './storage.ts';

const prefix = 'studytrack.draft.';
const prefixOf = (userId: number | undefined) => `${prefix}${userId ?? 'stranger'}.`;
const keyOf = (name: string) => prefixOf(session.get().account?.id) + name;

function read(key: string): object | undefined {
  const value = tabStorage.read(key);
  return typeof value === 'object' && value !== null ? value : undefined;
}

// Drafts survive an expired sign-in of the same user. They are deleted when the user signs out or another one signs in.
let userId = session.get().account?.id;
session.subscribe(() => {
  const { state, account } = session.get();
  if (state === 'out' ? userId !== undefined : account !== undefined && account.id !== userId)
    deleteOtherDrafts(account?.id);
  userId = account?.id;
});

function deleteOtherDrafts(id: number | undefined): void {
  const isOwn = (key: string) => key.startsWith(prefixOf(undefined)) || key.startsWith(prefixOf(id));
  try {
    for (const key of Object.keys(sessionStorage))
      if (key.startsWith(prefix) && !isOwn(key)) tabStorage.write(key, undefined);
  } catch {
    // blocked: there are no drafts
  }
}

/** Whether a form has unsent input; it is then reopened after a reload. */
export const hasDraft = (name: string): boolean => read(keyOf(name)) !== undefined;

/**
 * The fields of a form, stored across a reload and an expired sign-in until `clear` is called. `isRestored`: they come
 * from storage. Not for passwords, which are never stored.
 */
export function useDraft<T extends object>(name: string, initial: () => T) {
  const [key] = useState(() => keyOf(name));
  const [{ value, isRestored }, setState] = useState(() => {
    const stored = read(key) as Partial<T> | undefined; // written by this hook, possibly in an older version
    return { value: { ...initial(), ...stored }, isRestored: stored !== undefined };
  });
  const latest = useRef(value);

  const set = useCallback(
    (changed: Partial<T>): void => {
      latest.current = { ...latest.current, ...changed };
      tabStorage.write(key, latest.current);
      setState((before) => ({ ...before, value: latest.current }));
    },
    [key],
  );
  const clear = useCallback((): void => tabStorage.write(key, undefined), [key]);
  /** Discards the draft and sets the initial or given fields. */
  const reset = (next: T = initial()): void => {
    clear();
    latest.current = next;
    setState({ value: next, isRestored: false });
  };
  return { value, set, clear, reset, isRestored };
}
