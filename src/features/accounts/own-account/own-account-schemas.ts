import { z } from 'zod';
import { email } from '../../../http/fields.ts';
import { timeZone, timeZoneNames } from '../../../http/time-fields.ts';
import { confirmingPassword, password } from '../passwords/password-schemas.ts';
import { otp } from '../second-factor/second-factor-schemas.ts';
import { preferences } from '../users/preference-fields.ts';
import { displayName } from '../users/user-schemas.ts';

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

export const updateMeBody = z.object({
  display_name: displayName.exactOptional(),
  email: email.exactOptional(),
  ...timeZoneNames(timeZone.exactOptional()),
  ...preferencePatch,
  current_password: password({ min: 1 })
    .exactOptional()
    .meta({ description: 'Required only for changing the e-mail address.' }),
});

export const deleteMeBody = z.object({
  current_password: confirmingPassword,
  otp: otp.exactOptional().meta({ description: 'For accounts with a second factor: the code, or a recovery code.' }),
});
