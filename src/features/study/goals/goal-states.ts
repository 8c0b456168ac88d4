import { z } from 'zod';

/** `judgeGoal` in goal-sql.ts decides. */
export const goalStates = [
  'no_target',
  'not_started',
  'done',
  'overdue',
  'paused',
  'behind',
  'slowing',
  'ahead',
  'on_track',
] as const;
export type GoalState = (typeof goalStates)[number];

/** The pace is the mean of the last four weeks, or since a younger plan or study began, but at least of a week. */
export const longestPace = 28;
export const shortestPace = 7;

/** A goal without study is not started for so many days after the assignment, and behind from then on. */
export const daysToStart = 7;

export const goalState = z.enum(goalStates).meta({
  id: 'GoalState',
  description: [
    '`no_target`: without a target, or without due date and weekly goal.',
    `\`not_started\`: nothing is recorded, and it was assigned at most ${daysToStart} days ago.`,
    '`overdue`: the due date has passed.',
    "`behind`: below the even pace by more than a day's share, or not started later than that.",
    '`slowing`: not behind, but at `pace_hours_per_day` the target is reached after the due date.',
    '`ahead`: above the even pace, and at this pace reached at least a tenth of the days left before the due date.',
    '`on_track`: none of these. `done`: the target is reached, or the project completed. `paused`: as the project.',
  ].join(' '),
  example: 'on_track',
});
