import { z } from 'zod';
import { linkToken } from '../../../http/fields.ts';
import { oneTimeZone, timeZoneNames } from '../../../http/time-fields.ts';
import { locales } from '../../../texts/index.ts';
import { newPassword } from '../passwords/password-schemas.ts';
import { accountFields } from '../users/user-schemas.ts';

const { username, email, display_name, timezone } = accountFields;

export const setupBody = z
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
        'Whether to add an example school: three classes of students with projects and sixteen weeks of study, a term with a holiday, and a teacher of one class.',
    }),
  })
  .transform(oneTimeZone);

export type SetupInput = z.output<typeof setupBody>;

export const setupDone = z.object({
  username: z.string().meta({ description: 'The name to sign in with.', example: 'lin' }),
  example_password: z.string().optional().meta({
    description: 'The password of the students and the class teacher of the example school. Shown only once.',
    example: 'xK4vw9RpqZ2M',
  }),
});
