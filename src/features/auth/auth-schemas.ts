import { z } from 'zod';
import { email, text, timeZone } from '../../http/fields.ts';
import { otp } from '../second-factor/second-factor-schemas.ts';
import { displayName, newPassword, password, user } from '../users/user-schemas.ts';

export const loginBody = z
  .object({
    username: text({ min: 1, max: 254 })
      .optional()
      .meta({ description: 'Username or e-mail address.', example: 'lin' }),
    email: text({ min: 1, max: 254 }).optional().meta({ description: 'Instead of the username.' }),
    password: password({ min: 1 }),
    otp: otp.exactOptional().meta({ description: 'For accounts with a second factor: the code, or a recovery code.' }),
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
  current_password: password({ min: 1 })
    .exactOptional()
    .meta({ description: 'Needed to change the e-mail address only.' }),
});

export const updatedMe = user
  .extend({
    pending_email: z.string().optional().meta({
      description: 'The new e-mail address, until the link that was mailed to it is opened.',
      example: 'lin.wei@example.org',
    }),
  })
  .meta({ id: 'UpdatedUser' });

export const confirmEmailBody = z.object({
  token: z.string().min(1).max(256).meta({ description: 'From the link in the mail.', example: refreshTokenExample }),
});

export const changePasswordBody = z.object({ current_password: password({ min: 1 }), new_password: newPassword() });
