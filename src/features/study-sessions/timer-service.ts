import type { Database, Executor, Transaction } from '../../db/database.ts';
import { ConflictError, NotFoundError, PermissionDeniedError, UnauthorizedError } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Actor } from '../auth/identity.ts';
import type { OverdueTimers } from './overdue-timers.ts';
import { overlapError } from './session-overlap.ts';
import { createSessionRepository } from './session-repository.ts';
import type { Session, TimerStart } from './session-schemas.ts';
import { createTimerRepository } from './timer-repository.ts';

export type TimerServiceOptions = { database: Database; clock: Clock; overdue: OverdueTimers };

/** One timer a user. A timer left running counts as ended when its time was over, whoever finds it first. */
export function createTimerService({ database, clock, overdue }: TimerServiceOptions) {
  const { maxSeconds } = overdue;

  return {
    /** The user's running record, or null. */
    async get(userId: number): Promise<Session | null> {
      const running = await createTimerRepository(database).findRunning(userId, clock());
      if (running === undefined) return null;
      if (running.seconds < maxSeconds) return running.session;
      await overdue.end(userId);
      return (await createTimerRepository(database).findRunning(userId, clock()))?.session ?? null;
    },

    /**
     * Starts a timer on a project that is visible and active, and stops one on another project. On the same project
     * the one that runs goes on (`started` is false).
     */
    start(db: Executor, actor: Actor, wanted: TimerStart) {
      return db.transaction(async (tx) => {
        const timers = createTimerRepository(tx);
        if (!(await timers.lockUser(actor.id))) throw new UnauthorizedError('unauthorized');
        const project = await timers.lockProjects(actor, wanted.project_id);
        if (project === undefined) throw new NotFoundError('project_not_found');
        if (!project.visible) throw new PermissionDeniedError('project_not_visible');
        const now = clock();
        const running = await timers.findRunning(actor.id, now);
        const isOverdue = running !== undefined && running.seconds >= maxSeconds;
        if (running?.session.project_id === wanted.project_id && !isOverdue)
          return { started: false, timer: running.session, stopped: null };
        if (!project.active) throw new ConflictError('PROJECT_NOT_ACTIVE', 'project_not_active');
        const stopped = running === undefined ? undefined : await timers.stop(actor.id, now, maxSeconds);
        const timer = await timers.insert(actor, wanted, now);
        if (timer === undefined) {
          const other = await createSessionRepository(tx).findOverlap(actor.id, { started_at: now, ended_at: null });
          throw overlapError(other);
        }
        return { started: true, timer, stopped: isOverdue ? null : (stopped ?? null) };
      }, actor.act);
    },

    /** Ends the user's timer. Throws ConflictError NO_TIMER when none runs. */
    stop(actor: Actor): Promise<Session> {
      return database.transaction(async (tx) => {
        const timers = createTimerRepository(tx);
        await timers.lockUser(actor.id);
        await timers.lockProjects(actor, null);
        const stopped = await timers.stop(actor.id, clock(), maxSeconds);
        if (stopped === undefined) throw new ConflictError('NO_TIMER', 'no_timer');
        return stopped;
      }, actor.act);
    },

    /** Ends the timer of a user; the caller's transaction holds the user and the project. */
    stopOfUser: (tx: Transaction, userId: number) => createTimerRepository(tx).stop(userId, clock(), maxSeconds),

    /** Ends the timers on a project whose row the caller's transaction holds. */
    stopOnProject: (tx: Transaction, projectId: number) =>
      createTimerRepository(tx).stopOnProject(projectId, clock(), maxSeconds),
  };
}

export type TimerService = ReturnType<typeof createTimerService>;
