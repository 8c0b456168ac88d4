import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Reader } from '../../../actor.ts';

export const itemTypes = ['project', 'session'] as const;
export type ItemType = (typeof itemTypes)[number];

/** A position in the order of all changes: by transaction id, then by type and id of the item. */
export type Position = { changed_in: string; type: ItemType; id: number };

/** The progress of a client: everything up to `position` has been sent. */
export type Cursor = {
  /** Identifies the database, its run and the reader for which the cursor is valid. */
  mark: string;
  position: Position;
  /**
   * Where the next pass begins, if transactions were in progress when the position passed them: they may still commit
   * earlier changes.
   */
  floor: string | undefined;
  /** When the client was complete or began its first pass, in milliseconds. */
  completeAt: number;
};

export const validDays = 90;
const day = 86_400_000;

// 18 digits fit into a bigint and last for a hundred million years.
const format = /^1\.([0-9a-f]{16})\.(\d{1,18})\.(project|session)\.(\d{1,15})\.(\d{0,18})\.(\d{1,15})$/;

/** A cursor as a query parameter. Encoded because its format may change; it grants no access and is not signed. */
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

/** The `mark` of a reader's cursors: role and database determine what is visible and what transaction ids mean. */
export function markOf(databaseRun: string, { id, role }: Reader): string {
  return createHash('sha256').update(`${databaseRun}\0${id}\0${role}`).digest('hex').slice(0, 16);
}

/** Whether all deletions since the cursor are still stored. */
export const isRecent = ({ completeAt }: Cursor, now: number): boolean => now - completeAt < validDays * day;

/** The position before all changes of this and later transactions. */
export const beginningOf = (changed_in: string): Position => ({ changed_in, type: 'project', id: 0 });

export const firstCursor = (mark: string, now: number): Cursor => ({
  mark,
  position: beginningOf('0'),
  floor: undefined,
  completeAt: now,
});

/**
 * The cursor after a page. `last` is its last item if there are more. All changes of transactions before the
 * `horizon` are visible, in their final order; later ones are sent too, and again from the horizon on in the next
 * pass.
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
