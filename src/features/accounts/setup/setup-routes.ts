import type { RateLimits } from '../../../http/limits.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import { originOf } from '../../../http/request.ts';
import { setupBody, setupDone } from './setup-schemas.ts';
import type { SetupService } from './setup-service.ts';

type Options = { setup: SetupService; rateLimits: RateLimits; floodPerMinute: number };

export function createSetupRoutes({ setup, rateLimits, floodPerMinute }: Options): Operation[] {
  return [
    operation({
      tag: 'Sign-in',
      method: 'post',
      path: '/api/setup',
      id: 'setUp',
      summary: 'Create the first administrator',
      description:
        'Takes the token of the set-up link that the service prints when it starts without an administrator. A link is valid for 30 minutes, and none is once there is an administrator. Does not sign in.',
      access: 'public',
      body: setupBody,
      data: setupDone,
      message: 'set_up',
      secrets: ['example_password'],
      limit: rateLimits('setup', floodPerMinute),
      handler: async ({ body, request }) => ({ data: await setup.complete(body, originOf(request)) }),
    }),
  ];
}
