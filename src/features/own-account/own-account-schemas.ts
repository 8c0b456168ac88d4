import { z } from 'zod';
import { email, timeZone } from '../../http/fields.ts';
import { password } from '../passwords/password-schemas.ts';
import { otp } from '../second-factor/second-factor-schemas.ts';
import { displayName } from '../users/user-schemas.ts';
import { account, preferencePatch } from './preference-schemas.ts';

export const updateMeBody = z.object({
  display_name: displayName.exactOptional(),
  email: email.exactOptional(),
  timezone: timeZone.exactOptional(),
  ...preferencePatch,
  current_password: password({ min: 1 })
    .exactOptional()
    .meta({ description: 'Required only for changing the e-mail address.' }),
});

export const deleteMeBody = z.object({
  current_password: password({ min: 1 }),
  otp: otp.exactOptional().meta({ description: 'For accounts with a second factor: the code, or a recovery code.' }),
});

export type AccountPatch = Omit<z.output<typeof updateMeBody>, 'email' | 'current_password'>;

export const updatedMe = account
  .extend({
    pending_email: z.string().optional().meta({
      description: 'The new e-mail address, until the link mailed to it is opened.',
      example: 'lin.wei@example.org',
    }),
  })
  .meta({ id: 'UpdatedUser' });
