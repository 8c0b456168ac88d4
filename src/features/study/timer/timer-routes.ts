import { type Operation, operation } from '../../../http/operation.ts';
import type { Clock } from '../../../lib/clock.ts';
import { session, toSessionResponse } from '../study-sessions/session-responses.ts';
import { runningTimer, startedTimer, startTimerBody, stopTimerBody } from './timer-schemas.ts';
import type { TimerService } from './timer-service.ts';

export function createTimerRoutes({ service, clock }: { service: TimerService; clock: Clock }): Operation[] {
  const base = { tag: 'Records', access: 'user' } as const;

  return [
    operation({
      ...base,
      method: 'get',
      path: '/api/timer',
      id: 'getTimer',
      summary: 'Get the running timer',
      description: 'A record without an end, with the elapsed time; null if no timer is running.',
      data: runningTimer,
      handler: async ({ actor }) => {
        const running = await service.get(actor.id);
        return { data: running === undefined ? null : toSessionResponse(running) };
      },
    }),

    operation({
      ...base,
      method: 'post',
      path: '/api/timer/start',
      id: 'startTimer',
      scope: 'sessions:write',
      summary: 'Start the timer',
      description:
        'A timer running on another project is stopped and returned as `stopped`; one running on the same project continues and is returned with 200. With `started_at`, the running timer ends at that time, and must have started before it.',
      body: startTimerBody(clock),
      data: startedTimer,
      status: 201,
      mayReturnExisting: true,
      message: 'timer_started',
      errors: ['PERMISSION_DENIED', 'RESOURCE_NOT_FOUND', 'PROJECT_NOT_ACTIVE', 'SESSION_OVERLAP', 'CONFLICT'],
      idempotent: true,
      handler: async ({ actor, body, store }) => {
        const { started, timer, stopped } = await service.start(store, actor, body);
        const data = {
          ...toSessionResponse(timer),
          stopped: stopped === undefined ? null : toSessionResponse(stopped),
        };
        if (!started) return { data, status: 200, message: { key: 'timer_already_running' } };
        return { data, location: `/api/sessions/${timer.id}` };
      },
    }),

    operation({
      ...base,
      method: 'post',
      path: '/api/timer/stop',
      id: 'stopTimer',
      scope: 'sessions:write',
      summary: 'Stop the timer',
      description:
        'The record lasts at least one second, and at most as long as a timer may run. With `session_id` the request can be repeated: a record that has ended is returned unchanged. If the service stopped a timer that was left running, an earlier `ended_at` is still accepted.',
      body: stopTimerBody(clock),
      data: session,
      message: 'timer_stopped',
      errors: ['NO_TIMER', 'RESOURCE_NOT_FOUND', 'PERMISSION_DENIED'],
      handler: async ({ actor, body }) => ({ data: toSessionResponse(await service.stop(actor, body)) }),
    }),
  ];
}
