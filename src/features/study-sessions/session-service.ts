import {
  ConflictError,
  NotFoundError,
  PermissionDeniedError,
  PreconditionFailedError,
  ValidationError,
} from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import type { SecurityEvent, SecurityLog } from '../../lib/log/security-log.ts';
import type { Store, TransactionStore } from '../../store.ts';
import type { Actor } from '../auth/identity.ts';
import type { Reader } from '../projects/project-access.ts';
import type { OverdueTimers } from '../timer/timer-service.ts';
import type { SessionListReadModel, SessionPage } from './list/session-list-read-model.ts';
import { createSessionRecording, recordChanged } from './session-recording.ts';
import type { LockedSession, SessionRepository, SessionState, Span } from './session-repository.ts';
import {
  canChangeSession,
  canViewSession,
  identifyOverlap,
  overlapError,
  type SessionAccess,
} from './session-rules.ts';
import type { SessionChange, SessionPageQuery } from './session-schemas.ts';
import type { FoundSession } from './session-sql.ts';
import { hasSpan, plusSeconds, requestedSpan } from './session-times.ts';

export type SessionServiceOptions = {
  store: Store;
  lists: SessionListReadModel;
  clock: Clock;
  overdue: OverdueTimers;
  securityLog: SecurityLog;
};

export function createSessionService({ store, lists, clock, overdue, securityLog }: SessionServiceOptions) {
  async function find(actor: Actor, id: number): Promise<FoundSession> {
    const found = await store.sessions.find(actor, id, clock());
    if (found === undefined) throw new NotFoundError('session_not_found');
    if (!canViewSession(actor, found)) throw new PermissionDeniedError('session_not_visible');
    return found;
  }

  async function lockChangeable(
    { sessions }: TransactionStore,
    actor: Actor,
    id: number,
    { expected, targetId }: { expected: number | undefined; targetId?: number | undefined },
  ) {
    const locked = await sessions.lock(id, targetId);
    if (locked === undefined) throw new NotFoundError('session_not_found');
    const { session } = locked;
    if (!canChangeSession(actor, session)) throw notYours(actor, session);
    if (expected !== undefined && expected !== session.row_version) throw new PreconditionFailedError();
    return locked;
  }

  /** Throws unless the author may record this time on the target project, which is locked. */
  async function requireTarget({ sessions }: TransactionStore, actor: Actor, author: Reader, state: SessionState) {
    const target = await sessions.findTarget(author, state.project_id, state);
    if (target === undefined) throw new NotFoundError('project_not_found');
    if (!target.visible)
      throw new PermissionDeniedError(author.id === actor.id ? 'project_not_visible' : 'session_project_not_visible');
    if (!target.active) throw new ConflictError('PROJECT_NOT_ACTIVE', 'project_not_active');
  }

  /** Logs changes by administrators, not by authors. */
  function logChange(tx: TransactionStore, event: SecurityEvent, actor: Actor, { id, user_id }: LockedSession): void {
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
      return await store.transaction(async (tx) => {
        const lock = { expected: expectedVersion, targetId: change.project_id };
        const { session, author } = await lockChangeable(tx, actor, id, lock);
        const span = requestedSpan(session, change, clock());
        const { project_id = session.project_id, note = session.note } = change;
        const { planned_minutes = session.planned_minutes } = change;
        const isReplanned = planned_minutes !== session.planned_minutes;
        if (isReplanned && session.ended_at !== null) throw ValidationError.of('planned_minutes', 'timer_not_running');
        const state = { ...span, project_id, note, planned_minutes };
        const isMoved = project_id !== session.project_id;
        if (isMoved) await requireTarget(tx, actor, author, state);
        else if (!hasSpan(session, span)) await requireWithinMembership(tx.sessions, actor, id, span.ended_at);
        const isChanged = isMoved || !hasSpan(session, span) || note !== session.note || isReplanned;
        if (isChanged) {
          Object.assign(attempt, { author: session.user_id, span });
          if (!(await tx.sessions.update(id, state)))
            throw overlapError(await tx.sessions.findOverlap(session.user_id, span, id));
          logChange(tx, 'record_changed_by_administrator', actor, session);
        }
        const changed = await tx.sessions.find(actor, id, clock());
        if (changed === undefined) throw new Error(`study session ${id} disappeared while it was locked`);
        if (isChanged) await recordChanged(tx, [{ before: session, after: changed }]);
        return changed;
      }, actor.context);
    } catch (error) {
      // It may overlap a session that was saved concurrently.
      const { author, span } = attempt;
      throw span === undefined
        ? error
        : await identifyOverlap(error, () => store.sessions.findOverlap(author, span, id));
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
      return store.transaction(async (tx) => {
        const { session } = await lockChangeable(tx, actor, id, { expected: expectedVersion });
        await tx.sessions.delete(id);
        tx.record({ type: 'session.deleted', sessions: [session], announced: true });
        logChange(tx, 'record_deleted_by_administrator', actor, session);
      }, actor.context);
    },
  };
}

/** The write of a change that may fail because it overlaps another session of the author. */
type Attempt = { author: number; span?: Span };

export type SessionService = ReturnType<typeof createSessionService>;

function notYours(actor: Actor, session: SessionAccess): PermissionDeniedError {
  return new PermissionDeniedError(canViewSession(actor, session) ? 'session_not_yours' : 'session_not_visible');
}

/** A former member may correct their sessions, but not move them to a later time. */
async function requireWithinMembership(
  sessions: SessionRepository,
  actor: Actor,
  id: number,
  end: Date | null,
): Promise<void> {
  if (actor.role === 'admin' || end === null) return;
  const latest = await sessions.findLatestEnd(id);
  if (latest !== undefined && end > latest)
    throw ValidationError.of('ended_at', 'session_after_membership', { latest: latest.toISOString() });
}
