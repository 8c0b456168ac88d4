import { isDeepStrictEqual } from 'node:util';
import type { Reader } from '../../../actor.ts';
import { type Actor, isAdministrator } from '../../../actor.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { SecurityEvent, SecurityLog } from '../../../lib/log/security-log.ts';
import { PermissionDeniedError } from '../../../texts/access-errors.ts';
import { ConflictError, NotFoundError, PreconditionFailedError, ValidationError } from '../../../texts/errors.ts';
import type { Db, Tx } from '../../../transactions/transactions.ts';
import { lockStudent, requireStudent } from '../../accounts/admin-scope/admin-scope.ts';
import type { SessionListReadModel, SessionPage } from './list/session-list-read-model.ts';
import type { OverdueTimers } from './overdue-timers.ts';
import { createSessionRecording, recordChanged } from './session-recording.ts';
import type { LockedSession, SessionState, Span } from './session-repository.ts';
import * as sessionRepository from './session-repository.ts';
import {
  canChangeSession,
  canViewSession,
  hasSpan,
  identifyOverlap,
  overlapError,
  requestedSpan,
  type SessionAccess,
} from './session-rules.ts';
import type { SessionChange, SessionPageQuery } from './session-schemas.ts';
import type { FoundSession } from './session-sql.ts';
import { plusSeconds } from './session-times.ts';

export type SessionServiceOptions = {
  store: Db;
  lists: SessionListReadModel;
  clock: Clock;
  overdue: OverdueTimers;
  securityLog: SecurityLog;
};

export function createSessionService({ store, lists, clock, overdue, securityLog }: SessionServiceOptions) {
  async function find(actor: Actor, id: number): Promise<FoundSession> {
    const found = await sessionRepository.find(store, actor, id, clock());
    if (found === undefined) throw new NotFoundError('session_not_found');
    await requireInScope(store, actor, found);
    if (!canViewSession(actor, found)) throw new PermissionDeniedError('session_not_visible');
    return found;
  }

  async function lockChangeable(
    tx: Tx,
    actor: Actor,
    id: number,
    { expected, targetId }: { expected: number | undefined; targetId?: number | undefined },
  ) {
    const locked = await sessionRepository.lock(tx, id, targetId);
    if (locked === undefined) throw new NotFoundError('session_not_found');
    const { session } = locked;
    if (session.user_id !== actor.id) await lockStudent(tx, actor, session.user_id);
    if (!canChangeSession(actor, session)) throw notYours(actor, session);
    if (expected !== undefined && expected !== session.row_version) throw new PreconditionFailedError();
    return locked;
  }

  /** Throws unless the author may record this time on the target project, which is locked. */
  async function requireTarget(tx: Tx, actor: Actor, author: Reader, state: SessionState) {
    const target = await sessionRepository.findTarget(tx, author, state.project_id, state);
    if (target === undefined) throw new NotFoundError('project_not_found');
    if (!target.visible)
      throw new PermissionDeniedError(author.id === actor.id ? 'project_not_visible' : 'session_project_not_visible');
    const isHidden =
      actor.role === 'class_admin' &&
      (await sessionRepository.findTarget(tx, actor, state.project_id, state))?.visible !== true;
    if (isHidden) throw new PermissionDeniedError('project_not_visible');
    if (!target.active) throw new ConflictError('PROJECT_NOT_ACTIVE', 'project_not_active');
  }

  /** Logs changes by administrators, not by authors. */
  function logChange(tx: Tx, event: SecurityEvent, actor: Actor, { id, user_id }: LockedSession): void {
    if (user_id === actor.id) return;
    tx.afterCommit(() => securityLog.note(event, actor, { record: id, target_user: user_id }));
  }

  async function applyChange(
    actor: Actor,
    id: number,
    change: SessionChange,
    expectedVersion: number | undefined,
    attempt: Attempt,
  ) {
    try {
      return await store.transaction(actor.context, async (tx) => {
        const lock = { expected: expectedVersion, targetId: change.project_id };
        const { session, author } = await lockChangeable(tx, actor, id, lock);
        const span = requestedSpan(session, change, clock());
        const { project_id = session.project_id, note = session.note } = change;
        const { tags = session.tags, planned_minutes = session.planned_minutes } = change;
        const isReplanned = planned_minutes !== session.planned_minutes;
        if (isReplanned && session.ended_at !== null) throw ValidationError.of('planned_minutes', 'timer_not_running');
        const isRetagged = !isDeepStrictEqual(tags, session.tags);
        const state = { ...span, project_id, note, tags, planned_minutes };
        const isMoved = project_id !== session.project_id;
        if (isMoved) await requireTarget(tx, actor, author, state);
        else if (!hasSpan(session, span)) await requireWithinMembership(tx, actor, id, span.ended_at);
        const isChanged = isMoved || !hasSpan(session, span) || note !== session.note || isRetagged || isReplanned;
        if (isChanged) {
          Object.assign(attempt, { author: session.user_id, span });
          if (!(await sessionRepository.update(tx, id, state)))
            throw overlapError(
              await sessionRepository.findOverlap(tx, session.user_id, span, id),
              session.user_id === actor.id,
            );
          logChange(tx, 'record_changed_by_administrator', actor, session);
        }
        const changed = await sessionRepository.find(tx, actor, id, clock());
        if (changed === undefined) throw new Error(`study session ${id} disappeared while it was locked`);
        if (isChanged) await recordChanged(tx, [{ before: session, after: changed }]);
        return changed;
      });
    } catch (error) {
      // It may overlap a session that was saved concurrently.
      const { author, span } = attempt;
      if (span === undefined) throw error;
      const findOther = () => sessionRepository.findOverlap(store, author, span, id);
      throw await identifyOverlap(error, findOther, author === actor.id);
    }
  }

  return {
    /** If it overlaps an overdue timer, `overdue.recover` ends that, and the request is repeated. */
    create: createSessionRecording(store),

    async get(actor: Actor, id: number): Promise<FoundSession> {
      const found = await find(actor, id);
      if (found.ended_at !== null || found.duration_seconds < overdue.maxSeconds) return found;
      if (found.user_id === actor.id) await overdue.end(actor.id);
      else await overdue.endUnlocked([found.user_id]);
      return find(actor, id);
    },

    async list(actor: Actor, query: SessionPageQuery): Promise<SessionPage> {
      const page = await lists.read(actor, query, clock());
      const latestStart = plusSeconds(clock(), -overdue.maxSeconds);
      const left = page.sessions.filter((row) => row.ended_at === null && new Date(row.started_at) <= latestStart);
      if (left.length === 0) return page;
      await overdue.endUnlocked(left.map((row) => row.user_id));
      return lists.read(actor, query, clock());
    },

    async requireChange(actor: Actor, id: number): Promise<void> {
      const found = await find(actor, id);
      if (!canChangeSession(actor, found)) throw notYours(actor, found);
    },

    /** Changes times and note, or moves the session to a project on which its author could record it. */
    update(actor: Actor, id: number, change: SessionChange, expectedVersion: number | undefined) {
      const attempt: Attempt = { author: actor.id };
      return overdue.retry(
        () => attempt.author,
        () => applyChange(actor, id, change, expectedVersion, attempt),
      );
    },

    delete(actor: Actor, id: number, expectedVersion: number | undefined): Promise<void> {
      return store.transaction(actor.context, async (tx) => {
        const { session } = await lockChangeable(tx, actor, id, { expected: expectedVersion });
        await sessionRepository.remove(tx, id);
        tx.record({ type: 'session.deleted', sessions: [session], announced: true });
        logChange(tx, 'record_deleted_by_administrator', actor, session);
      });
    },
  };
}

/** The write of a change that may fail because it overlaps another session of the author. */
type Attempt = { author: number; span?: Span };

export type SessionService = ReturnType<typeof createSessionService>;

function notYours(actor: Actor, session: SessionAccess): PermissionDeniedError {
  return new PermissionDeniedError(canViewSession(actor, session) ? 'session_not_yours' : 'session_not_visible');
}

/** Limited administrators have the rights of administrators over the records of their students, and none over those of others. */
async function requireInScope(db: Db, actor: Actor, { user_id }: SessionAccess): Promise<void> {
  if (user_id !== actor.id) await requireStudent(db, actor, user_id);
}

/** A former member may correct their sessions, but not move them to a later time. */
async function requireWithinMembership(tx: Tx, actor: Actor, id: number, end: Date | null): Promise<void> {
  if (isAdministrator(actor) || end === null) return;
  const latest = await sessionRepository.findLatestEnd(tx, id);
  if (latest !== undefined && end > latest)
    throw ValidationError.of('ended_at', 'session_after_membership', { latest: latest.toISOString() });
}
