import { setImmediate } from 'node:timers/promises';
import { type Act, type Executor, sql } from '../../db/database.ts';
import { translateDatabaseError } from '../../db/errors.ts';
import { stateOfDatabase } from '../../db/snapshot.ts';
import { UnavailableError } from '../../errors.ts';
import type { Origin } from '../../lib/security-log.ts';

export type Role = 'admin' | 'user';

/**
 * Whose list it is and in which state: a remembered list may be shown only while its stamp is equal.
 * For administrators, who see everything, it is the state of the whole database, which changes with every commit.
 */
export type Stamp = { list: string; rows: number };

/** The signed-in caller, as the database knows him now. */
export type Actor = {
  id: number;
  username: string;
  role: Role;
  timezone: string;
  sign_in_id: string;
  /** Signed in with a one-time password, and may do nothing else before changing it. */
  must_change_password: boolean;
  /** Whether signing in to the account takes a second factor. */
  totp_enabled: boolean;
  stamp: Stamp;
  /** The request in which the actor acts, for the security log. */
  origin?: Origin;
  /** What the request is about to do; missing in commands, which act for nobody who is signed in. */
  act?: Act;
};

type Question = { user_id: number; sign_in_id: string; project_ids: readonly number[] };
type Waiting = { question: Question; answer: (actor: Actor | undefined) => void; fail: (error: unknown) => void };
type Row = Omit<Actor, 'stamp'> & { position: number; list: string; rows: number };

// Batched: one array position per request. The sums are computed once for all of them.
// The arrays are hidden in subqueries from the planner: it would see their lengths, take every other length for a
// reason to plan anew, and planning takes several times as long as reading.
const readIdentities = sql(`
  SELECT asked.position, u.id, u.username, u.role, u.timezone, s.id AS sign_in_id,
    u.password_expires_at IS NOT NULL AS must_change_password, u.totp_enabled,
    CASE WHEN u.role = 'admin' THEN ${stateOfDatabase} ELSE v.version::text END AS list,
    coalesce(shown.rows, 0)::bigint AS rows
  FROM unnest((SELECT $1::bigint[]), (SELECT $2::uuid[])) WITH ORDINALITY AS asked (user_id, sign_in_id, position)
  JOIN users u ON u.id = asked.user_id AND u.status = 'active'
  JOIN sign_ins s ON s.id = asked.sign_in_id AND s.user_id = u.id AND s.revoked_at IS NULL
  JOIN user_list_versions v ON v.user_id = u.id
  LEFT JOIN (
    SELECT seen.position, sum(p.row_version) AS rows
    FROM unnest((SELECT $3::bigint[]), (SELECT $4::bigint[])) AS seen (position, project_id)
    JOIN projects p ON p.id = seen.project_id
    GROUP BY seen.position
  ) AS shown ON shown.position = asked.position`);

// One more is on its way while the answers of the other are worked on; further ones would only be smaller.
const mostReads = 2;

/**
 * Reads who the caller is with every request: role and status are never taken from the token. Questions that arrive
 * together, or while reads are in progress, are batched in the next one, which starts after all of them arrived and
 * is therefore as fresh as one read each.
 */
export function createIdentityReader(db: Executor) {
  let waiting: Waiting[] = [];
  let underWay = 0;

  async function readAll(batch: Waiting[]): Promise<void> {
    const questions = batch.map((entry) => entry.question);
    const positions = questions.flatMap((question, index) => question.project_ids.map(() => index + 1));
    const rows = await db.rows<Row>(readIdentities, [
      questions.map((question) => question.user_id),
      questions.map((question) => question.sign_in_id),
      positions,
      questions.flatMap((question) => question.project_ids),
    ]);
    const found = new Map(
      rows.map((row): [number, Actor] => {
        const { id, username, role, timezone, sign_in_id, must_change_password, totp_enabled, list, rows: sum } = row;
        const stamp = { list, rows: sum };
        return [row.position, { id, username, role, timezone, sign_in_id, must_change_password, totp_enabled, stamp }];
      }),
    );
    batch.forEach((entry, index) => void entry.answer(found.get(index + 1)));
  }

  async function drain(): Promise<void> {
    underWay += 1;
    await setImmediate(); // the requests that came in together with the first are still being read
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await readAll(batch).catch((error: unknown) => {
        // Database is down: fail queued requests too, instead of letting them wait for the same timeout.
        const isAway = translateDatabaseError(error) instanceof UnavailableError;
        for (const entry of isAway ? [...batch, ...waiting.splice(0)] : batch) entry.fail(error);
      });
    }
    underWay -= 1;
  }

  return {
    /** The active user behind a sign-in that still stands, or undefined. */
    read(question: Question): Promise<Actor | undefined> {
      return new Promise((answer, fail) => {
        waiting.push({ question, answer, fail });
        if (underWay < mostReads) void drain();
      });
    },
  };
}

export type IdentityReader = ReturnType<typeof createIdentityReader>;
