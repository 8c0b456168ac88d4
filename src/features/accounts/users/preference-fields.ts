import { z } from 'zod';
import { locales } from '../../../texts/index.ts';

const weekday = z.int().min(1).max(7);

const weekdays = z
  .array(weekday)
  .max(7)
  .overwrite((days) => [...new Set(days)].sort((a, b) => a - b));

export const preferences = {
  locale: z.enum(locales).nullable().meta({
    id: 'ChosenLocale',
    description: 'The language chosen for the user interface and for mails; null if none was chosen.',
    example: 'zh',
  }),
  week_start: weekday.meta({
    description: 'The weekday on which weeks begin, from 1 (Monday) to 7 (Sunday). ISO weeks always begin on Monday.',
    example: 1,
  }),
  day_start_hour: z.int().min(0).max(6).meta({
    id: 'DayStartHour',
    description: 'The hour at which a day of study begins: with 3, study before 3:00 counts for the previous day.',
    example: 3,
  }),
  rest_weekdays: weekdays.meta({
    id: 'RestWeekdays',
    description:
      'Weekdays, from 1 (Monday) to 7 (Sunday), that do not break a streak without study. Study on them counts.',
    example: [6, 7],
  }),
  daily_goal_minutes: z
    .int()
    .min(1)
    .max(1440)
    .nullable()
    .meta({ id: 'DailyGoalMinutes', description: 'The goal in minutes per day; null if there is none.', example: 90 }),
  weekly_goal_minutes: z
    .int()
    .min(1)
    .max(7 * 1440)
    .nullable()
    .meta({
      id: 'WeeklyGoalMinutes',
      description: 'The goal in minutes per week of the calendar; null if there is none.',
      example: 420,
    }),
  streak_reminder_hour: z.int().min(0).max(23).nullable().meta({
    id: 'StreakReminderHour',
    description:
      'The local hour from which a mail warns that the streak ends today, unless the day counts already; null: no such mails. Needs a mail server.',
    example: 19,
  }),
  weekly_mail: z.boolean().meta({
    id: 'WeeklyMail',
    description:
      'Whether a mail on the first day of each week summarizes the last one: the own study, or for administrators the classes. Needs a mail server.',
    example: true,
  }),
  new_request_mail: z.boolean().meta({
    description: 'Whether a mail announces new contact requests, for administrators. Needs a mail server.',
    example: false,
  }),
};
