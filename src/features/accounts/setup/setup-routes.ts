import { z } from 'zod';
import { linkToken, oneTimeZone, timeZoneNames } from '../../../http/fields.ts';
import type { RateLimits } from '../../../http/limits.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import { originOf } from '../../../http/request.ts';
import { locales } from '../../../texts/index.ts';
import { newPassword } from '../passwords/password-schemas.ts';
import { accountFields } from '../users/user-schemas.ts';
import type { SetupService } from './setup-service.ts';

const { username, email, display_name, timezone } = accountFields;

const setupBody = z
  .object({
    token: linkToken('From the fragment of the set-up link.'),
    username,
    email,
    display_name,
    ...timeZoneNames(timezone.meta({ description: 'IANA name; UTC until one is chosen.' })),
    locale: z.enum(locales).nullable().default(null).meta({ description: 'The language of the administrator.' }),
    password: newPassword(),
    example: z.boolean().default(false).meta({
      description:
        'Whether to add an example school: three classes of students with projects and sixteen weeks of study.',
    }),
  })
  .transform(oneTimeZone);
export type SetupInput = z.output<typeof setupBody>;

const setupDone = z.object({
  username: z.string().meta({ description: 'The name to sign in with.', example: 'lin' }),
  example_password: z.string().optional().meta({
    description: 'The password of the students of the example school. Shown only once.',
    example: 'xK4vw9RpqZ2M',
  }),
});

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
