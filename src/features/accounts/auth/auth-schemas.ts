import { z } from 'zod';
import { text } from '../../../http/fields.ts';
import { password } from '../passwords/password-schemas.ts';
import { otp } from '../second-factor/second-factor-schemas.ts';
import { account } from '../users/account-responses.ts';

export const credentials = z.object({
  username: text({ min: 1, max: 254 })
    .optional()
    .meta({ description: 'Username or e-mail address.', example: 'admin' }),
  email: text({ min: 1, max: 254 }).optional().meta({ description: 'Instead of the username.' }),
  password: password({ min: 1 }),
  otp: otp.exactOptional().meta({ description: 'For accounts with a second factor: the code, or a recovery code.' }),
});

type Named = { username?: string | undefined; email?: string | undefined };

/** `username` and `email` are two fields for the same name. */
export function withName<T extends Named>({ username, email: address, ...rest }: T, context: z.RefinementCtx) {
  const name = username ?? address;
  if (name !== undefined) return { ...rest, name };
  context.addIssue({ code: 'custom', message: 'required', path: ['username'] });
  return z.NEVER;
}

export const loginBody = credentials.transform(withName);

const refreshTokenExample = 'pUq4c1vTn0xgYv3mB7k2dQ';

export const tokenPair = z.object({
  token: z.string().meta({
    description: 'For the Authorization header: `Bearer <token>`.',
    example: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.c2lnbmF0dXJl',
  }),
  token_type: z.literal('Bearer'),
  expires_in: z.int().meta({ description: 'Seconds until the token expires.', example: 900 }),
  refresh_token: z.string().meta({
    description: 'For the next pair of tokens; can be used once, within 30 days.',
    example: refreshTokenExample,
  }),
});

export const signedIn = tokenPair.extend({ user: account });

export const refreshBody = z.object({
  refresh_token: z.string().min(1).max(256).meta({ example: refreshTokenExample }),
});
