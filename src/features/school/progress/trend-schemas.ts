import { z } from 'zod';
import { idText } from '../../../http/fields.ts';
import { timestamp } from '../../../http/time-fields.ts';
import { maxComputed, weeksShown } from './progress-schemas.ts';

export const trendQuery = z.object({
  group_id: idText.optional().meta({
    description: `Members of this group. Required with more than ${maxComputed} active users.`,
  }),
});
export type TrendQuery = z.output<typeof trendQuery>;

const trendWeek = z.object({
  at: timestamp.meta({ description: 'This time of one of the last weeks.' }),
  users: z.int().meta({ description: 'Users who had an account then.', example: 92 }),
  on_track: z.int().meta({
    description: 'Of these, those who were `on_track`.',
    example: 68,
  }),
});
export type TrendWeek = z.output<typeof trendWeek>;

export const progressTrend = z.object({
  weeks: z.array(trendWeek).meta({ description: `The last ${weeksShown - 1} weeks, the latest last.` }),
});
