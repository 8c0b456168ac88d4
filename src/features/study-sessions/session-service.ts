import type { Database, Executor, Transaction } from '../../db/database.ts';
import { translateDatabaseError } from '../../db/errors.ts';
import {
  ConflictError,
  NotFoundError,
  PermissionDeniedError,
  PreconditionFailedError,
  ValidationError,
} from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import type { SecurityEvent, SecurityLog } from '../../lib/security-log.ts';
import type { Actor } from '../auth/identity.ts';
import type { OverdueTimers } from './overdue-timers.ts';
import { isOverlap, overlapError } from './session-overlap.ts';
import { canChangeSession, canViewSession } from './session-policy.ts';
import { createSessionRepository, type SessionReading, type SessionRow } from './session-repository.ts';
import type { NewSession, SessionChange } from './session-schemas.ts';
import { changeTimes, timeErrors } from './session-times.ts';

export type SessionServiceOptions = {
  database: Database;
  clock: Clock;
  overdue: OverdueTimers;
  securityLog: SecurityLog;
};

/** Keeps study records. Methods throw NotFoundError, PermissionDeniedError and ConflictError where they apply. */
export function createSessionService({ database, clock, overdue, securityLog }: SessionServiceOptions) {
  const sessions = createSessionRepository(database);

  async function find(actor: Actor, id: number): Promise<SessionReading> {
    const found = await sessions.find(actor, id, clock());
    if (found === undefined) throw new NotFoundError('session_not_found');
    if (!canViewSession(actor, found)) throw new PermissionDeniedError('session_not_visible');
    return found;
  }

  /** Locks a record that the actor may change, in the version he expects. */
  async function lockOwn(tx: Transaction, actor: Actor, id: number, expectedVersion: number | undefined) {
    const session = await createSessionRepository(tx).lock(id);
    if (session === undefined) throw new NotFoundError('session_not_found');
    if (!canChangeSession(actor, session)) throw notYours(actor, session);
    if (expectedVersion !== undefined && expectedVersion !== session.row_version) throw new PreconditionFailedError();
    return session;
  }

  /** The author needs no watching; besides, only administrators may change a record. */
  function noteChange(tx: Transaction, event: SecurityEvent, actor: Actor, { id, user_id }: SessionRow): void {
    if (user_id === actor.id) return;
    tx.onCommit(() => securityLog.note(event, actor, { record: id, target_user: user_id }));
  }

  return {
    /** Records a finished stretch of study on a project that the actor sees. Run it inside `overdue.retry`. */
    async create(db: Executor, actor: Actor, projectId: number, session: NewSession) {
      const repository = createSessionRepository(db);
      const verdict = await repository.insert(actor, projectId, session);
      if (verdict === undefined) throw new NotFoundError('project_not_found');
      if (!verdict.visible) throw new PermissionDeniedError('project_not_visible');
      if (!verdict.active) throw new ConflictError('PROJECT_NOT_ACTIVE', 'project_not_active');
      const { id, row_version, json } = verdict;
      if (id === null || row_version === null || json === null)
        throw overlapError(await repository.findOverlap(actor.id, session));
      return { id, row_version, json };
    },

    /** One record that the actor may see. */
    async get(actor: Actor, id: number): Promise<SessionReading> {
      const found = await find(actor, id);
      if (!found.running || found.seconds < overdue.maxSeconds) return found;
      await overdue.end(found.user_id);
      return find(actor, id);
    },

    /** Throws unless the record is there and the actor may change it. */
    async requireChange(actor: Actor, id: number): Promise<void> {
      const found = await find(actor, id);
      if (!canChangeSession(actor, found)) throw notYours(actor, found);
    },

    /** Corrects times and note, at any time and whatever the project's state. A change of nothing writes nothing. */
    async update(actor: Actor, id: number, change: SessionChange, expectedVersion: number | undefined) {
      let attempt: { user_id: number; started_at: Date; ended_at: Date | null } | undefined;
      try {
        return await database.transaction(async (tx) => {
          const repository = createSessionRepository(tx);
          const session = await lockOwn(tx, actor, id, expectedVersion);
          const times = wantedTimes(session, change, clock());
          const note = change.note ?? session.note;
          if (!isSame(session, times)) await requireWithinMembership(repository, actor, id, times.ended_at);
          if (!isSame(session, times) || note !== session.note) {
            attempt = { user_id: session.user_id, ...times };
            if (!(await repository.update(id, times, note)))
              throw overlapError(await repository.findOverlap(session.user_id, times, id));
            noteChange(tx, 'record_changed_by_administrator', actor, session);
          }
          const changed = await repository.find(actor, id, clock());
          if (changed === undefined) throw new Error(`record ${id} vanished while it was locked`);
          return changed;
        }, actor.act);
      } catch (error) {
        // A record that was being saved at the same moment: the constraint spoke, and names nobody.
        const translated = translateDatabaseError(error);
        if (translated !== error && attempt !== undefined && isOverlap(translated))
          throw overlapError(await sessions.findOverlap(attempt.user_id, attempt, id));
        throw error;
      }
    },

    /** Removes a record; a running one is discarded. */
    delete(actor: Actor, id: number, expectedVersion: number | undefined): Promise<void> {
      return database.transaction(async (tx) => {
        const session = await lockOwn(tx, actor, id, expectedVersion);
        await createSessionRepository(tx).delete(id);
        noteChange(tx, 'record_deleted_by_administrator', actor, session);
      }, actor.act);
    },
  };
}

export type SessionService = ReturnType<typeof createSessionService>;

function notYours(actor: Actor, session: { user_id: number; owner_id: number }): PermissionDeniedError {
  return new PermissionDeniedError(canViewSession(actor, session) ? 'session_not_yours' : 'session_not_visible');
}

/** The times asked for; a running timer keeps its own until it is stopped. */
function wantedTimes(
  session: SessionRow,
  change: SessionChange,
  now: Date,
): { started_at: Date; ended_at: Date | null } {
  const started_at = new Date(session.started_at);
  if (session.ended_at === null) {
    const moved = change.started_at !== undefined && change.started_at.getTime() !== started_at.getTime();
    const ended = change.ended_at === undefined ? change.duration_seconds !== undefined : change.ended_at !== null;
    if (moved || ended) throw new ConflictError('TIMER_RUNNING', 'timer_running');
    return { started_at, ended_at: null };
  }
  if (change.ended_at === null) throw ValidationError.of('ended_at', 'required');
  const present = { started_at, ended_at: new Date(session.ended_at) };
  const times = changeTimes(present, change);
  if (times === 'contradiction') throw ValidationError.of('duration_seconds', 'session_contradiction');
  const errors = isSame(session, times) ? [] : timeErrors(times, now);
  if (errors.length > 0) throw new ValidationError(errors);
  return times;
}

/** What someone did on a project before they were taken off it may be corrected, but not moved to a later time. */
async function requireWithinMembership(
  repository: ReturnType<typeof createSessionRepository>,
  actor: Actor,
  id: number,
  end: Date | null,
): Promise<void> {
  if (actor.role === 'admin' || end === null) return;
  const latest = await repository.findLatestEnd(id);
  if (latest !== undefined && end > latest)
    throw ValidationError.of('ended_at', 'session_after_membership', { latest: latest.toISOString() });
}

function isSame(session: SessionRow, { started_at, ended_at }: { started_at: Date; ended_at: Date | null }): boolean {
  return started_at.toISOString() === session.started_at && (ended_at?.toISOString() ?? null) === session.ended_at;
}
