import { useState } from 'react';
import { isApiError } from './api.ts';

/** The fields that a form edits, and the ETag they were read with. */
export type Version<T> = { fields: T; etag: string };
/** Fields changed both here and elsewhere; the user must choose. */
export type Conflict<T> = { mine: T; theirs: Version<T>; fields: readonly (keyof T & string)[] };

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
const keysOf = <T extends object>(value: T) => Object.keys(value) as (keyof T & string)[]; // plain objects

/** A three-way merge: each field from the side that changed it. */
function merge<T extends object>(base: T, mine: T, theirs: T) {
  const keys = keysOf(mine);
  const taken = keys.filter((key) => isSame(mine[key], base[key]) && !isSame(theirs[key], base[key]));
  const fields = keys.filter(
    (key) => !isSame(mine[key], base[key]) && !isSame(theirs[key], base[key]) && !isSame(mine[key], theirs[key]),
  );
  const merged = { ...mine, ...Object.fromEntries(taken.map((key) => [key, theirs[key]])) };
  return { merged, taken, fields, isDone: keys.every((key) => isSame(mine[key], theirs[key])) };
}

type Access<T> = {
  read: () => Promise<Version<T>>;
  /** Fails with PRECONDITION_FAILED, or returns false, if the object no longer equals `base`. */
  write: (fields: T, base: Version<T>) => Promise<unknown>;
};

export type Merging<T> = {
  conflict: Conflict<T> | undefined;
  save: (mine: T, base: Version<T>) => Promise<(keyof T & string)[] | undefined>;
  dismiss: () => void;
};

/** What changes this often is not merged: the user reads the message and saves again. */
const maxRounds = 3;

/**
 * Saves without overwriting: fields changed elsewhere are read and retained unless this form changed them. `save`
 * resolves to the names of these fields, or to undefined if the user must resolve `conflict` first.
 */
export function useMergingSave<T extends object>({ read, write }: Access<T>): Merging<T> {
  const [conflict, setConflict] = useState<Conflict<T>>();

  async function save(mine: T, base: Version<T>, round = 1): Promise<(keyof T & string)[] | undefined> {
    try {
      if ((await write(mine, base)) !== false) return [];
    } catch (error) {
      if (!isApiError(error, 'PRECONDITION_FAILED') || round === maxRounds) throw error;
    }
    const theirs = await read();
    const { merged, taken, fields, isDone } = merge(base.fields, mine, theirs.fields);
    if (isDone) return []; // an earlier attempt succeeded, but its response was lost
    if (fields.length > 0 || round === maxRounds) {
      setConflict({ mine: merged, theirs, fields: fields.length > 0 ? fields : taken });
      return undefined;
    }
    const more = await save(merged, theirs, round + 1);
    return more === undefined ? undefined : [...taken, ...more];
  }

  return {
    conflict,
    save: (mine: T, base: Version<T>) => {
      setConflict(undefined);
      return save(mine, base);
    },
    dismiss: () => setConflict(undefined),
  };
}
