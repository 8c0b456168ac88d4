import { z } from 'zod';
import { goalStates } from './goal-state.ts';

const hours = z.number().min(0).meta({ example: 1.5 });

export const forecast = z
  .object({
    state: z.enum(goalStates).meta({
      description:
        'Compared with an even pace from the hours when the target or due date was set, or the project was resumed, to the target on the due date: `behind`; `on_track` if studying today keeps the pace; `ahead` if today may be skipped. `overdue`: the due date has passed. Without a due date, an open target is `on_track`.',
      example: 'on_track',
    }),
    remaining_hours: hours.meta({ description: 'Hours left to the target.', example: 27.5 }),
    days_left: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: 'Days to the due date, including today; 0 after it, null without one.', example: 55 }),
    required_hours_per_day: hours.meta({
      description: 'Remaining hours divided by days left; without a due date, a seventh of the weekly goal.',
      example: 0.5,
    }),
    pace_7d: hours.meta({ description: 'Hours per day over the last 7 days, of all users.', example: 0.75 }),
    pace_28d: hours.meta({ description: 'Hours per day over the last 28 days, of all users.', example: 0.6 }),
    projected_completion: z.iso.date().nullable().meta({
      description:
        'The day on which the target is reached at the pace of the last 28 days, or of all days of a newer project. Null without study in these days, or if nothing remains or the project is paused.',
      example: '2026-03-19',
    }),
    safe_days: z.int().min(0).nullable().meta({
      description:
        'How many days, from today on, may pass without study before the project is behind. Null without an open plan.',
      example: 0,
    }),
    today_required_hours: hours.meta({
      description:
        "The rest of today's even share towards the due date or the weekly goal, whichever is larger. 0 if paused or done.",
      example: 0.25,
    }),
  })
  .meta({ id: 'Forecast' });
