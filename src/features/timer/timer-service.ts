import {
  ConflictError,
  NotFoundError,
  PermissionDeniedError,
  UnauthorizedError,
  ValidationError,
} from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Store, TransactionStore } from '../../store.ts';
import type { Actor } from '../auth/identity.ts';
import { recordChanged, recordCreated, tooManySessions } from '../study-sessions/session-recording.ts';
import { isOverlap, overlapError } from '../study-sessions/session-rules.ts';
import type { SessionRow } from '../study-sessions/session-sql.ts';
import { plusSeconds } from '../study-sessions/session-times.ts';
import type { EndedTimer, OverdueOf, TimersToEnd } from './timer-repository.ts';
import type { TimerStart, TimerStop } from './timer-schemas.ts';

export type OverdueTimersOptions = { store: Store; clock: Clock; maxSeconds: number };

/** Ends timers in a transaction that has locked their projects, and the users whose rights change. */
export type EndTimers = (tx: TransactionStore, timers: TimersToEnd) => Promise<EndedTimer[]>;

/** Ended timers are records that have changed. */
const recordEnded = (tx: TransactionStore, timers: readonly EndedTimer[]): Promise<void> =>
  recordChanged(
    tx,
    timers.map((after) => ({ before: { ...after, ended_at: after.former_end }, after })),
  );

/**
 * Stops timers that were left running, at the time at which they became overdue: in a recurring job, and immediately
 * when a request finds one. Safe to run concurrently in any number of processes.
 */
export function createOverdueTimers({ store, clock, maxSeconds }: OverdueTimersOptions) {
  async function endSome(overdue: OverdueOf): Promise<number> {
    return store.transaction(async (tx) => {
      const ended = await tx.timers.endOverdue(overdue, clock(), maxSeconds);
      await recordEnded(tx, ended);
      return ended.length;
    });
  }

  /** Of one user; waits for their locks. Returns whether there was one. */
  const end = async (userId: number): Promise<boolean> => (await endSome({ users: [userId], wait: true })) > 0;

  /** Whether to repeat what failed: with an overlap, while the author of the record had an overdue timer. */
  const recover = async (error: unknown, author: number): Promise<boolean> => isOverlap(error) && (await end(author));

  return {
    maxSeconds,

    end,

    /** Of these users, or of all; not of those whose rows are locked, so that nobody's long work delays the others. */
    endUnlocked: (users: readonly number[]): Promise<number> => endSome({ users, wait: false }),
    async endAll(): Promise<void> {
      while ((await endSome({ users: 'all', wait: false })) > 0);
    },

    recover,

    /** Repeats the work if it failed with an overlap and the author of the record had an overdue timer. */
    async retry<T>(author: () => number, work: () => Promise<T>): Promise<T> {
      try {
        return await work();
      } catch (error) {
        if (await recover(error, author())) return work();
        throw error;
      }
    },
  };
}

export type OverdueTimers = ReturnType<typeof createOverdueTimers>;

export type TimerServiceOptions = { store: Store; clock: Clock; overdue: OverdueTimers };

/** One timer per user. A timer left running counts as ended once it is overdue, whichever request finds it first. */
export function createTimerService({ store, clock, overdue }: TimerServiceOptions) {
  const { maxSeconds } = overdue;

  /** The session of a repeated stop; throws if the request does not match it. */
  async function findStopped({ sessions, timers }: TransactionStore, actor: Actor, { session_id: id }: TimerStop) {
    const now = clock();
    const found = await (id === undefined ? timers.findRunning(actor.id, now) : sessions.find(actor, id, now));
    if (found === undefined)
      throw id === undefined ? new ConflictError('NO_TIMER', 'no_timer') : new NotFoundError('session_not_found');
    if (found.user_id !== actor.id) throw new PermissionDeniedError('timer_not_yours');
    if (found.ended_at === null) throw ValidationError.of('ended_at', 'session_too_short');
    return found;
  }

  return {
    async get(userId: number): Promise<SessionRow | undefined> {
      const running = await store.timers.findRunning(userId, clock());
      if (running === undefined || running.duration_seconds < maxSeconds) return running;
      await overdue.end(userId);
      return store.timers.findRunning(userId, clock());
    },

    /** Starts a timer and stops one on another project; one on the same project continues (`started` is false). */
    start({ transaction }: Store, actor: Actor, start: TimerStart) {
      return transaction(async (tx) => {
        const { timers, sessions } = tx;
        if (!(await timers.lockUser(actor.id))) throw new UnauthorizedError('unauthorized');
        const project = await timers.lockProjects(actor, { project_id: start.project_id });
        if (project === undefined) throw new NotFoundError('project_not_found');
        if (!project.visible) throw new PermissionDeniedError('project_not_visible');
        const now = clock();
        const at = start.started_at ?? now;
        const running = await timers.findRunning(actor.id, now);
        const isOverdue = running !== undefined && at >= plusSeconds(new Date(running.started_at), maxSeconds);
        if (running?.project_id === start.project_id && !isOverdue)
          return { started: false, timer: running, stopped: undefined };
        if (!project.active) throw new ConflictError('PROJECT_NOT_ACTIVE', 'project_not_active');
        if (project.full) throw tooManySessions();
        const stopped = running && (await timers.stop(actor.id, { ended_at: start.started_at }, now, maxSeconds));
        const timer = await timers.insert(actor, start, now);
        if (timer === undefined)
          throw overlapError(await sessions.findOverlap(actor.id, { started_at: at, ended_at: null }));
        if (stopped !== undefined) await recordEnded(tx, [stopped]);
        await recordCreated(tx, [{ session: timer }]);
        return { started: true, timer, stopped: isOverdue ? undefined : stopped };
      }, actor.context);
    },

    /** Ends the user's timer; returns an ended session unchanged. Throws ConflictError NO_TIMER if none is running. */
    stop(actor: Actor, stop: TimerStop): Promise<SessionRow> {
      return store.transaction(async (tx) => {
        await tx.timers.lockUser(actor.id);
        await tx.timers.lockProjects(actor, { session_id: stop.session_id });
        const stopped = await tx.timers.stop(actor.id, stop, clock(), maxSeconds);
        if (stopped === undefined) return findStopped(tx, actor, stop);
        await recordEnded(tx, [stopped]);
        return stopped;
      }, actor.context);
    },

    /** Ends timers as the service does when their users can no longer record on these projects. */
    async end(tx: TransactionStore, which: TimersToEnd) {
      const ended = await tx.timers.end(which, { at: clock(), maxSeconds, automatic: true });
      await recordEnded(tx, ended);
      return ended;
    },
  };
}

export type TimerService = ReturnType<typeof createTimerService>;
