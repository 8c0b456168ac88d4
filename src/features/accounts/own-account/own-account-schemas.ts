import { z } from 'zod';
import { email, timeZone, timeZoneNames } from '../../../http/fields.ts';
import { locales } from '../../../texts/index.ts';
import { confirmingPassword, password } from '../passwords/password-schemas.ts';
import { otp } from '../second-factor/second-factor-schemas.ts';
import { displayName } from '../users/user-schemas.ts';

const weekday = z.int().min(1).max(7);

const weekdays = z
  .array(weekday)
  .max(7)
  .overwrite((days) => [...new Set(days)].sort((a, b) => a - b));

export const preferences = {
  locale: z.enum(locales).nullable().meta({
    description: 'The language chosen for the user interface and for mails; null if none was chosen.',
    example: 'zh',
  }),
  week_start: weekday.meta({
    description: 'The weekday on which weeks begin, from 1 (Monday) to 7 (Sunday). ISO weeks always begin on Monday.',
    example: 1,
  }),
  day_start_hour: z.int().min(0).max(6).meta({
    description: 'The hour at which a day of study begins: with 3, study before 3:00 counts for the previous day.',
    example: 3,
  }),
  rest_weekdays: weekdays.meta({
    description:
      'Weekdays, from 1 (Monday) to 7 (Sunday), that do not break a streak without study. Study on them counts.',
    example: [6, 7],
  }),
  daily_goal_minutes: z
    .int()
    .min(1)
    .max(1440)
    .nullable()
    .meta({ description: 'The goal in minutes per day; null if there is none.', example: 90 }),
  weekly_goal_minutes: z
    .int()
    .min(1)
    .max(7 * 1440)
    .nullable()
    .meta({ description: 'The goal in minutes per week of the calendar; null if there is none.', example: 420 }),
  streak_reminder_hour: z.int().min(0).max(23).nullable().meta({
    description:
      'The local hour from which a mail warns that the streak ends today, unless the day counts already; null: no such mails. Needs a mail server.',
    example: 19,
  }),
  weekly_mail: z.boolean().meta({
    description:
      'Whether a mail on the first day of each week summarizes the last one: the own study, or for administrators the classes. Needs a mail server.',
    example: true,
  }),
  new_request_mail: z.boolean().meta({
    description: 'Whether a mail announces new contact requests, for administrators. Needs a mail server.',
    example: false,
  }),
};

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

export type AccountPatch = Omit<z.output<typeof updateMeBody>, 'email' | 'current_password'>;
