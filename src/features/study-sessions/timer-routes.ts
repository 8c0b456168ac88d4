import { type Operation, operation } from '../../http/operation.ts';
import { runningTimer, session, startedTimer, startTimerBody } from './session-schemas.ts';
import type { TimerService } from './timer-service.ts';

export function createTimerRoutes(service: TimerService): Operation[] {
  const base = { tag: 'Records', access: 'user' } as const;

  return [
    operation({
      ...base,
      method: 'get',
      path: '/api/timer',
      id: 'getTimer',
      summary: 'The running timer',
      description: 'A record without an end, with the time so far; null when none runs.',
      data: runningTimer,
      handler: async ({ actor }) => ({ data: await service.get(actor.id) }),
    }),

    operation({
      ...base,
      method: 'post',
      path: '/api/timer/start',
      id: 'startTimer',
      summary: 'Start the timer',
      description:
        'On another project it stops the one that runs, which is answered as `stopped`; on the same project that one goes on and is answered with 200.',
      body: startTimerBody,
      data: startedTimer,
      status: 201,
      mayReturnExisting: true,
      message: 'timer_started',
      errors: ['PERMISSION_DENIED', 'RESOURCE_NOT_FOUND', 'PROJECT_NOT_ACTIVE', 'SESSION_OVERLAP'],
      idempotent: true,
      handler: ({ actor, body, once }) =>
        once(async (db) => {
          const { started, timer, stopped } = await service.start(db, actor, body);
          const data = { ...timer, stopped };
          if (!started) return { data, status: 200, message: { key: 'timer_already_running' } };
          return { data, location: `/api/sessions/${timer.id}` };
        }),
    }),

    operation({
      ...base,
      method: 'post',
      path: '/api/timer/stop',
      id: 'stopTimer',
      summary: 'Stop the timer',
      description: 'The record lasts one second at least, and at most as long as a timer may run.',
      data: session,
      message: 'timer_stopped',
      errors: ['NO_TIMER'],
      handler: async ({ actor }) => ({ data: await service.stop(actor) }),
    }),
  ];
}
