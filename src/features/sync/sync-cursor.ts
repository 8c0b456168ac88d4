import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Reader } from '../projects/project-policy.ts';

export const itemTypes = ['project', 'session'] as const;
export type ItemType = (typeof itemTypes)[number];

/** A place in the order of all changes: by transaction id, then by type and id of the item. */
export type Position = { changed_in: string; type: ItemType; id: number };

/** How far a client is: everything up to `position` has been sent to it. */
export type Cursor = {
  /** Of the database, its run and the reader that the cursor is valid for. */
  mark: string;
  position: Position;
  /**
   * Where the next pass begins, if the position is beyond transactions that were in progress when it was reached: they may
   * commit changes before it.
   */
  floor: string | undefined;
  /** When, in milliseconds, the client had everything, or began its first pass. */
  completeAt: number;
};

export const validDays = 90;
const day = 86_400_000;

// 18 digits fit into a bigint of PostgreSQL and are not used up in a hundred million years.
const format = /^1\.([0-9a-f]{16})\.(\d{1,18})\.(project|session)\.(\d{1,15})\.(\d{0,18})\.(\d{1,15})$/;

/** A cursor as a query parameter. It is encoded, because its form may change; it grants nothing and is not signed. */
export const cursorText = z
  .string()
  .max(200, { error: 'invalid_cursor' })
  .regex(/^[\w-]+$/, { error: 'invalid_cursor' })
  .transform((text, context): Cursor => {
    const [, mark = '', changed_in = '', type, id, floor = '', completeAt] =
      format.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
    if (type !== 'project' && type !== 'session') {
      context.addIssue({ code: 'custom', message: 'invalid_cursor' });
      return z.NEVER;
    }
    return {
      mark,
      position: { changed_in, type, id: Number(id) },
      floor: floor === '' ? undefined : floor,
      completeAt: Number(completeAt),
    };
  });

export function writeCursor({ mark, position: { changed_in, type, id }, floor = '', completeAt }: Cursor): string {
  return Buffer.from(['1', mark, changed_in, type, id, floor, completeAt].join('.')).toString('base64url');
}

/** What a reader's cursors are valid for; role and database decide what is visible and what transaction ids mean. */
export function markOf(databaseRun: string, { id, role }: Reader): string {
  return createHash('sha256').update(`${databaseRun}\0${id}\0${role}`).digest('hex').slice(0, 16);
}

/** Whether all that was deleted since then is still known. */
export const isRecent = ({ completeAt }: Cursor, now: number): boolean => now - completeAt < validDays * day;

/** Before all changes of the transaction and of later ones. */
export const beginningOf = (changed_in: string): Position => ({ changed_in, type: 'project', id: 0 });

export const firstCursor = (mark: string, now: number): Cursor => ({
  mark,
  position: beginningOf('0'),
  floor: undefined,
  completeAt: now,
});

/**
 * The cursor after a page. `last` is its last item if there are more. Changes of transactions before the `horizon` are all
 * visible, in their final order; later ones are sent as well, and again from the horizon on in the next pass.
 */
export function advance(cursor: Cursor, last: Position | undefined, horizon: string, now: number): Cursor {
  const { floor } = cursor;
  if (last === undefined)
    return {
      ...cursor,
      position: beginningOf(floor ?? horizon),
      floor: undefined,
      completeAt: floor === undefined ? now : cursor.completeAt,
    };
  const isSettled = BigInt(last.changed_in) < BigInt(horizon);
  return { ...cursor, position: last, floor: floor ?? (isSettled ? undefined : horizon) };
}
