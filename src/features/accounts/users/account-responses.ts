import { z } from 'zod';
import { id } from '../../../http/fields.ts';
import { preferences } from './preference-fields.ts';
import { maxNamedAdmins, type UserRow } from './user-repository.ts';
import { identityLinked, toUserResponse, user } from './user-responses.ts';

export const account = user
  .extend({
    timezone_chosen: z.boolean().meta({
      description: 'Whether the time zone was ever chosen. If not, applications should suggest that of the device.',
      example: true,
    }),
    identity_linked: identityLinked,
    has_password: z.boolean().meta({
      description: 'False for an account that has only signed in through the identity provider.',
      example: true,
    }),
    ...preferences,
  })
  .meta({ id: 'Account' });

export const me = account
  .extend({
    whole_school_admins: z
      .array(z.object({ id, display_name: z.string().meta({ example: 'He Jing' }) }))
      .optional()
      .meta({
        description: `Up to ${maxNamedAdmins} active administrators of the whole school, for an administrator who is limited to groups.`,
      }),
  })
  .meta({ id: 'OwnAccount' });

export const updatedMe = account
  .extend({
    pending_email: z.string().optional().meta({
      description: 'The new e-mail address, until the link mailed to it is opened.',
      example: 'lin.wei@example.org',
    }),
  })
  .meta({ id: 'UpdatedUser' });

export function toAccountResponse(row: UserRow): z.input<typeof account> {
  return {
    ...toUserResponse(row),
    timezone_chosen: row.timezone_chosen,
    has_password: row.has_password,
    identity_linked: row.identity_linked,
    locale: row.locale,
    week_start: row.week_start,
    day_start_hour: row.day_start_hour,
    rest_weekdays: row.rest_weekdays,
    daily_goal_minutes: row.daily_goal_minutes,
    weekly_goal_minutes: row.weekly_goal_minutes,
    streak_reminder_hour: row.streak_reminder_hour,
    weekly_mail: row.weekly_mail,
    new_request_mail: row.new_request_mail,
  };
}
