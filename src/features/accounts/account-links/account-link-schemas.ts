import { z } from 'zod';
import { email, linkToken } from '../../../http/fields.ts';
import { timestamp } from '../../../http/time-fields.ts';
import { newPassword } from '../passwords/password-schemas.ts';

export const acceptBody = z.object({
  token: linkToken('From the fragment of the link.'),
  password: newPassword(),
});
export const accepted = z.object({
  username: z.string().meta({ description: 'The name to sign in with.', example: 'lin' }),
});

export const forgotPasswordBody = z.object({ email });

export const accountLinkFields = {
  link_mailed: z.boolean().meta({ description: 'Whether the link was mailed to the user.', example: true }),
  link_expires_at: timestamp,
  link: z.string().optional().meta({
    description: 'The link to pass on to the user, if the service has no mail server. Shown only once.',
    example: 'https://study.example.org/accept#token=pUq4c1vTn0xgYv3mB7k2dQ&for=invitation',
  }),
};
export const accountLink = z.object(accountLinkFields).meta({ id: 'AccountLink' });
