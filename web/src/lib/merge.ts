import { useState } from 'react';
import { isApiError } from './api.ts';

/** What a form shows of something, and the state that it was read in. */
export type Version<T> = { fields: T; etag: string };
/** The same fields changed here and elsewhere: somebody has to choose. */
export type Conflict<T> = { mine: T; theirs: Version<T>; fields: readonly (keyof T & string)[] };

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
const keysOf = <T extends object>(value: T) => Object.keys(value) as (keyof T & string)[]; // values of forms are plain objects

/** What both sides made of `base`: each field from the side that changed it. */
export function merge<T extends object>(base: T, mine: T, theirs: T) {
  const keys = keysOf(mine);
  const taken = keys.filter((key) => isSame(mine[key], base[key]) && !isSame(theirs[key], base[key]));
  const fields = keys.filter(
    (key) => !isSame(mine[key], base[key]) && !isSame(theirs[key], base[key]) && !isSame(mine[key], theirs[key]),
  );
  const merged = { ...mine, ...Object.fromEntries(taken.map((key) => [key, theirs[key]])) };
  return { merged, taken, fields, isDone: keys.every((key) => isSame(mine[key], theirs[key])) };
}

type Ways<T> = {
  read: () => Promise<Version<T>>;
  /** Fails with PRECONDITION_FAILED, or returns false, when the thing is no longer as in `on`. */
  write: (fields: T, on: Version<T>) => Promise<unknown>;
};

export type Merging<T> = {
  conflict: Conflict<T> | undefined;
  save: (mine: T, on: Version<T>) => Promise<(keyof T & string)[] | undefined>;
  dismiss: () => void;
};

/**
 * Saves without overwriting: what was changed elsewhere meanwhile is read, and kept where this form did not change it.
 * `save` resolves to the names of such fields when all is saved, to undefined when `conflict` has to be decided first.
 */
export function useMergingSave<T extends object>({ read, write }: Ways<T>): Merging<T> {
  const [conflict, setConflict] = useState<Conflict<T>>();

  async function save(mine: T, on: Version<T>): Promise<(keyof T & string)[] | undefined> {
    try {
      if ((await write(mine, on)) !== false) return [];
    } catch (error) {
      if (!isApiError(error, 'PRECONDITION_FAILED')) throw error;
    }
    const theirs = await read();
    const { merged, taken, fields, isDone } = merge(on.fields, mine, theirs.fields);
    if (isDone) return []; // an earlier try arrived, and its response was lost
    if (fields.length > 0) {
      setConflict({ mine: merged, theirs, fields });
      return undefined;
    }
    const more = await save(merged, theirs);
    return more === undefined ? undefined : [...taken, ...more];
  }

  return {
    conflict,
    save: (mine: T, on: Version<T>) => {
      setConflict(undefined);
      return save(mine, on);
    },
    dismiss: () => setConflict(undefined),
  };
}
