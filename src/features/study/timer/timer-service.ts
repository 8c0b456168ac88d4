import type { Actor } from '../../../actor.ts';
import type { Clock } from '../../../lib/clock.ts';
import { InvalidTokenError, PermissionDeniedError } from '../../../texts/access-errors.ts';
import { ConflictError, NotFoundError, ValidationError } from '../../../texts/errors.ts';
import type { Db, Tx } from '../../../transactions/transactions.ts';
import type { OverdueTimers } from '../study-sessions/overdue-timers.ts';
import { recordChanged, recordCreated, tooManySessions } from '../study-sessions/session-recording.ts';
import * as sessions from '../study-sessions/session-repository.ts';
import { isOverlap, overlapError } from '../study-sessions/session-rules.ts';
import type { SessionRow } from '../study-sessions/session-sql.ts';
import { plusSeconds } from '../study-sessions/session-times.ts';
import type { EndedTimer, OverdueOf, TimersToEnd } from './timer-repository.ts';
import * as timerRepository from './timer-repository.ts';
import type { TimerStart, TimerStop } from './timer-schemas.ts';

export type OverdueTimersOptions = { store: Db; clock: Clock; maxSeconds: number };

/** Ends timers in a transaction that has locked their projects, and the users whose rights change. */
export type EndTimers = (tx: Tx, timers: TimersToEnd) => Promise<EndedTimer[]>;

/** Ended timers are records that have changed. */
const recordEnded = (tx: Tx, timers: readonly EndedTimer[]): Promise<void> =>
  recordChanged(
    tx,
    timers.map((after) => ({ before: { ...after, ended_at: after.former_end }, after })),
  );

/**
 * Stops timers that were left running, at the time at which they became overdue: in a recurring job, and immediately
 * when a request finds one. Safe to run concurrently in any number of processes.
 */
export function createOverdueTimers({ store, clock, maxSeconds }: OverdueTimersOptions): OverdueTimers {
  async function endSome(overdue: OverdueOf): Promise<number> {
    return store.asService(async (tx) => {
      const ended = await timerRepository.endOverdue(tx, overdue, clock(), maxSeconds);
      await recordEnded(tx, ended);
      return ended.length;
    });
  }

  const end = async (userId: number): Promise<boolean> => (await endSome({ users: [userId], wait: true })) > 0;

  const recover = async (error: unknown, author: number): Promise<boolean> => isOverlap(error) && (await end(author));

  return {
    maxSeconds,

    end,

    endUnlocked: (users: readonly number[]): Promise<number> => endSome({ users, wait: false }),
    async endAll(): Promise<void> {
      while ((await endSome({ users: 'all', wait: false })) > 0);
    },

    recover,

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

/** One timer per user. A timer left running counts as ended once it is overdue, whichever request finds it first. */
export function createTimerService({ store, clock, overdue }: { store: Db; clock: Clock; overdue: OverdueTimers }) {
  const { maxSeconds } = overdue;

  /** The session of a repeated stop; throws if the request does not match it. */
  async function findStopped(tx: Tx, actor: Actor, { session_id: id }: TimerStop) {
    const now = clock();
    const found = await (id === undefined
      ? timerRepository.findRunning(tx, actor.id, now)
      : sessions.find(tx, actor, id, now));
    if (found === undefined)
      throw id === undefined ? new ConflictError('NO_TIMER', 'no_timer') : new NotFoundError('session_not_found');
    if (found.user_id !== actor.id) throw new PermissionDeniedError('timer_not_yours');
    if (found.ended_at === null) throw ValidationError.of('ended_at', 'session_too_short');
    return found;
  }

  return {
    async get(userId: number): Promise<SessionRow | undefined> {
      const running = await timerRepository.findRunning(store, userId, clock());
      if (running === undefined || running.duration_seconds < maxSeconds) return running;
      await overdue.end(userId);
      return timerRepository.findRunning(store, userId, clock());
    },

    /** Starts a timer and stops one on another project; one on the same project continues (`started` is false). */
    start(db: Db, actor: Actor, start: TimerStart) {
      return db.transaction(actor.context, async (tx) => {
        if (!(await timerRepository.lockUser(tx, actor.id))) throw new InvalidTokenError('revoked');
        const project = await timerRepository.lockProjects(tx, actor, { project_id: start.project_id });
        if (project === undefined) throw new NotFoundError('project_not_found');
        if (!project.visible) throw new PermissionDeniedError('project_not_visible');
        const now = clock();
        const at = start.started_at ?? now;
        const running = await timerRepository.findRunning(tx, actor.id, now);
        const isOverdue = running !== undefined && at >= plusSeconds(new Date(running.started_at), maxSeconds);
        if (running?.project_id === start.project_id && !isOverdue)
          return { started: false, timer: running, stopped: undefined };
        if (!project.active) throw new ConflictError('PROJECT_NOT_ACTIVE', 'project_not_active');
        if (project.full) throw tooManySessions();
        const stopped =
          running && (await timerRepository.stop(tx, actor.id, { ended_at: start.started_at }, now, maxSeconds));
        const timer = await timerRepository.insert(tx, actor, start, now);
        if (timer === undefined)
          throw overlapError(await sessions.findOverlap(tx, actor.id, { started_at: at, ended_at: null }));
        if (stopped !== undefined) await recordEnded(tx, [stopped]);
        await recordCreated(tx, [{ session: timer }]);
        return { started: true, timer, stopped: isOverdue ? undefined : stopped };
      });
    },

    /** Ends the user's timer; returns an ended session unchanged. Throws ConflictError NO_TIMER if none is running. */
    stop(actor: Actor, stop: TimerStop): Promise<SessionRow> {
      return store.transaction(actor.context, async (tx) => {
        await timerRepository.lockUser(tx, actor.id);
        await timerRepository.lockProjects(tx, actor, { session_id: stop.session_id });
        const stopped = await timerRepository.stop(tx, actor.id, stop, clock(), maxSeconds);
        if (stopped === undefined) return findStopped(tx, actor, stop);
        await recordEnded(tx, [stopped]);
        return stopped;
      });
    },

    /** Ends timers as the service does when their users can no longer record on these projects. */
    async end(tx: Tx, which: TimersToEnd) {
      const ended = await timerRepository.end(tx, which, { at: clock(), maxSeconds, automatic: true });
      await recordEnded(tx, ended);
      return ended;
    },
  };
}

export type TimerService = ReturnType<typeof createTimerService>;
