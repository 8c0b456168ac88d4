import { z } from 'zod';
import { email, text, timeZone } from '../../http/fields.ts';
import { displayName, password, user } from '../users/user-schemas.ts';

export const loginBody = z
  .object({
    username: text({ min: 1, max: 254 })
      .optional()
      .meta({ description: 'Username or e-mail address.', example: 'lin' }),
    email: text({ min: 1, max: 254 }).optional().meta({ description: 'Instead of the username.' }),
    password: password({ min: 1 }),
  })
  .transform(({ username, email: address, ...rest }, context) => {
    const name = username ?? address;
    if (name !== undefined) return { ...rest, name };
    context.addIssue({ code: 'custom', message: 'required', path: ['username'] });
    return z.NEVER;
  });

const refreshTokenExample = 'pUq4c1vTn0xgYv3mB7k2dQ';

const tokenPair = z.object({
  token: z.string().meta({
    description: 'For the Authorization header: `Bearer <token>`.',
    example: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.c2lnbmF0dXJl',
  }),
  token_type: z.literal('Bearer'),
  expires_in: z.int().meta({ description: 'Seconds until the token expires.', example: 900 }),
  refresh_token: z
    .string()
    .meta({ description: 'For the next token; used once, 30 days long.', example: refreshTokenExample }),
});

export const signedIn = tokenPair.extend({ user });

export const refreshBody = z.object({
  refresh_token: z.string().min(1).max(256).meta({ example: refreshTokenExample }),
});

export const updateMeBody = z.object({
  display_name: displayName.exactOptional(),
  email: email.exactOptional(),
  timezone: timeZone.exactOptional(),
});

export const changePasswordBody = z.object({ current_password: password({ min: 1 }), new_password: password() });
