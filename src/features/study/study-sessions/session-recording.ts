import type { Actor, WriteContext } from '../../../actor.ts';
import type { SessionChange, SessionFacts } from '../../../events.ts';
import { PermissionDeniedError } from '../../../texts/access-errors.ts';
import { ConflictError, NotFoundError } from '../../../texts/errors.ts';
import type { RequestKey } from '../../../transactions/idempotency-repository.ts';
import type { Db, Tx } from '../../../transactions/transactions.ts';
import { createWriteBatch, type WriteRequest } from '../../../transactions/write-batch.ts';
import { awardAchievements } from '../achievements/award-service.ts';
import type { ReachedTarget } from '../achievements/target-repository.ts';
import * as sessionRepository from './session-repository.ts';
import { identifyOverlap, overlapError } from './session-rules.ts';
import type { NewSession } from './session-schemas.ts';
import { type FoundSession, maxSessions, type NewRecord, type Recording, recordAll } from './session-sql.ts';

type Times = Pick<SessionFacts, 'user_id' | 'project_id' | 'started_at' | 'ended_at'>;

/** The seconds that count: those of a running timer do not yet. */
const countedSeconds = ({ started_at, ended_at }: Times): number =>
  ended_at === null ? 0 : Math.floor((Date.parse(ended_at) - Date.parse(started_at)) / 1000);

/** The differences of the seconds of each project, by its id, and of each user in it, by both. */
function differences(counted: readonly (readonly [session: Times, sign: 1 | -1])[]): Map<number | string, number> {
  const seconds = new Map<number | string, number>();
  for (const [session, sign] of counted)
    for (const key of [session.project_id, keyOfPart(session)])
      seconds.set(key, (seconds.get(key) ?? 0) + sign * countedSeconds(session));
  return seconds;
}
const keyOfPart = ({ user_id, project_id }: Pick<Times, 'user_id' | 'project_id'>) => `${user_id} ${project_id}`;

/** Awards what the finished ones of these sessions earn, and records the goals that they reach. */
async function award(
  tx: Tx,
  sessions: readonly SessionFacts[],
  added: Map<number | string, number>,
  byOf: (goal: ReachedTarget) => WriteContext | undefined = () => undefined,
): Promise<void> {
  const finished = sessions.filter((session) => session.ended_at !== null);
  const earnings = finished.map((session) => ({
    id: session.id,
    added: added.get(session.project_id) ?? 0,
    own_added: added.get(keyOfPart(session)) ?? 0,
  }));
  await awardAchievements(tx, earnings, byOf);
}

/** A new session, and who created it, if that is not the actor of the transaction. */
export type CreatedSession = { session: SessionFacts; by?: WriteContext | undefined };

/** Records the new sessions of a transaction, and what they earn. It has locked their projects. */
export async function recordCreated(tx: Tx, created: readonly CreatedSession[]): Promise<void> {
  for (const { session, by } of created) tx.record({ type: 'session.created', sessions: [session], ...(by && { by }) });
  const sessions = created.map(({ session }) => session);
  const byOf = ({ project_id, user_id }: ReachedTarget) =>
    created.findLast(({ session }) => session.project_id === project_id && [null, session.user_id].includes(user_id))
      ?.by;
  await award(tx, sessions, differences(sessions.map((session) => [session, 1] as const)), byOf);
}

const counts = ({ before, after }: SessionChange): boolean =>
  before.project_id !== after.project_id ||
  before.started_at !== after.started_at ||
  before.ended_at !== after.ended_at;

/** The same for sessions that have changed, such as timers that have ended. */
export async function recordChanged(tx: Tx, changes: readonly SessionChange[]): Promise<void> {
  if (changes.length === 0) return;
  tx.record({ type: 'session.updated', changes });
  const counted = changes.filter(counts);
  const parts = counted.flatMap(({ before, after }) => [[before, -1] as const, [after, 1] as const]);
  await award(
    tx,
    counted.map(({ after }) => after),
    differences(parts),
  );
}

/** Records together the sessions that arrive at the same time. */
export function createSessionRecording(store: Db) {
  async function recordTogether(tx: Tx, requests: readonly WriteRequest<NewRecord>[], alone: boolean) {
    const recordings = await recordAll(tx, requests, alone);
    const outputs = recordings.map((recording) =>
      recording instanceof Error ? recording : (recording.session ?? whyNotRecorded(recording)),
    );
    // A refused record adds no tags: the others are written again, without it.
    const refused = outputs.find(
      (output, index) => output instanceof Error && requests[index]?.input.tags.length !== 0,
    );
    if (refused !== undefined) throw refused;
    const created = outputs.flatMap((session, index) =>
      session instanceof Error ? [] : [{ session, by: requests[index]?.actor.context }],
    );
    await recordCreated(tx, created);
    return outputs;
  }
  const record = createWriteBatch(store, recordTogether);
  return async (actor: Actor, project_id: number, session: NewSession, key?: RequestKey): Promise<FoundSession> => {
    const { id: user_id, role, timezone: time_zone } = actor;
    const input = { user_id, role, time_zone, project_id, ...session };
    try {
      return await record({ actor, input, key });
    } catch (error) {
      throw await identifyOverlap(error, () => sessionRepository.findOverlap(store, actor.id, session));
    }
  };
}

/** An overlap is identified after the transaction, which holds locks that other callers need. */
function whyNotRecorded({ visible, active, full }: Recording): Error {
  if (visible === null) return new NotFoundError('project_not_found');
  if (!visible) return new PermissionDeniedError('project_not_visible');
  if (active !== true) return new ConflictError('PROJECT_NOT_ACTIVE', 'project_not_active');
  return full === true ? tooManySessions() : overlapError(undefined);
}

export const tooManySessions = () => new ConflictError('CONFLICT', 'too_many_sessions', { maximum: maxSessions });
