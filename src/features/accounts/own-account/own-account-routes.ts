import { z } from 'zod';
import { email } from '../../../http/fields.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import { timeZone, timeZoneNames } from '../../../http/time-fields.ts';
import type { EmailChangeService } from '../email-change/email-change-service.ts';
import { confirmingPassword, password } from '../passwords/password-schemas.ts';
import { otp } from '../second-factor/second-factor-schemas.ts';
import type { UserRemovalService } from '../user-removal/user-removal-service.ts';
import { me, toAccountResponse, updatedMe } from '../users/account-responses.ts';
import { preferences } from '../users/preference-fields.ts';
import { displayName } from '../users/user-schemas.ts';
import type { UserService } from '../users/user-service.ts';

const preferencePatch = {
  locale: preferences.locale.exactOptional(),
  week_start: preferences.week_start.exactOptional(),
  day_start_hour: preferences.day_start_hour.exactOptional(),
  rest_weekdays: preferences.rest_weekdays
    .refine((days) => days.length < 7, { error: 'no_weekday_left' })
    .exactOptional(),
  daily_goal_minutes: preferences.daily_goal_minutes.exactOptional(),
  weekly_goal_minutes: preferences.weekly_goal_minutes.exactOptional(),
  streak_reminder_hour: preferences.streak_reminder_hour.exactOptional(),
  weekly_mail: preferences.weekly_mail.exactOptional(),
  new_request_mail: preferences.new_request_mail.exactOptional(),
};

const updateMeBody = z.object({
  display_name: displayName.exactOptional(),
  email: email.exactOptional(),
  ...timeZoneNames(timeZone.exactOptional()),
  ...preferencePatch,
  current_password: password({ min: 1 })
    .exactOptional()
    .meta({ description: 'Required only for changing the e-mail address.' }),
});

const deleteMeBody = z.object({
  current_password: confirmingPassword,
  otp: otp.exactOptional().meta({ description: 'For accounts with a second factor: the code, or a recovery code.' }),
});

type Options = { users: UserService; removal: UserRemovalService; emailChanges: EmailChangeService };

export function createOwnAccountRoutes({ users, removal, emailChanges }: Options): Operation[] {
  const base = { tag: 'Sign-in', access: 'user', path: '/api/auth/me', allowedBeforePasswordChange: true } as const;

  return [
    operation({
      ...base,
      method: 'get',
      id: 'getMe',
      aliases: [{ method: 'get', path: '/api/me', id: 'getAccount' }],
      summary: 'Get your account',
      description: 'The user of the token, with role, time zone and preferences.',
      data: me,
      handler: async ({ actor }) => {
        const data = toAccountResponse(await users.getOwn(actor.id));
        if (actor.role !== 'class_admin') return { data };
        return { data: { ...data, whole_school_admins: await users.listWholeSchoolAdmins() } };
      },
    }),

    operation({
      ...base,
      method: 'put',
      id: 'updateMe',
      aliases: [{ method: 'put', path: '/api/me', id: 'updateAccount' }],
      summary: 'Update your account',
      description:
        'Every field is optional. The new time zone and preferences apply to all statistics immediately, including past days. A new e-mail address requires `current_password`, is returned as `pending_email`, and takes effect when the link mailed to it is opened; without a mail server only administrators can change it (403).',
      body: updateMeBody,
      data: updatedMe,
      message: 'account_updated',
      errors: ['PERMISSION_DENIED'],
      handler: async ({ actor, body, request }) => {
        const { email, current_password, ...patch } = body;
        const update = await users.prepareOwnUpdate(actor, patch);
        const { user, pending_email } = await emailChanges.request(actor, { email, current_password }, request, update);
        const data = toAccountResponse(user);
        return pending_email === undefined
          ? { data }
          : { data: { ...data, pending_email }, message: { key: 'email_confirmation_sent' } };
      },
    }),

    operation({
      tag: 'Sign-in',
      access: 'user',
      method: 'delete',
      path: '/api/me',
      id: 'deleteMe',
      aliases: [{ method: 'post', path: '/api/me/delete', id: 'deleteAccount' }],
      summary: 'Delete your account',
      description:
        'Requires the password and, if enabled, the second factor. Name, e-mail address, sign-ins, tokens and assignments are deleted; study records remain under an anonymous user, and owned projects remain for the administrators. This cannot be undone. The last active administrator cannot be deleted.',
      body: deleteMeBody,
      message: 'own_account_deleted',
      errors: ['LAST_ADMIN', 'CONFLICT'],
      handler: async ({ actor, body }) => {
        await removal.removeOwn(actor, body);
        return {};
      },
    }),
  ];
}
