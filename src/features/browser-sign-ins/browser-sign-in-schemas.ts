import { z } from 'zod';
import { credentials, tokenPair, withName } from '../auth/auth-schemas.ts';
import { account } from '../own-account/preference-schemas.ts';

export const browserSignInBody = credentials
  .extend({
    keep_signed_in: z.boolean().default(false).meta({
      description: 'Whether the cookie outlives the browser: up to 30 days from the last refresh.',
      example: true,
    }),
  })
  .transform(withName);

export const browserSignedIn = tokenPair.omit({ refresh_token: true }).extend({ user: account });

export const noFields = z.object({}).meta({ description: 'An empty object.', example: {} });
