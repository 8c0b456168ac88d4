import { z } from 'zod';
import { goalStates } from './goal-state.ts';

const hours = z.number().min(0).meta({ example: 1.5 });

export const forecast = z
  .object({
    state: z.enum(goalStates).meta({
      description:
        'By an even pace from where the project stood when its target or due date was set, or work on it resumed, to the target on the due date: `behind` it, `on_track` when study today keeps up with it, `ahead` when today may be skipped. `overdue`: the due date is over. Without a due date an open target is `on_track`.',
      example: 'on_track',
    }),
    remaining_hours: hours.meta({ description: 'Up to the target.', example: 27.5 }),
    days_left: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: 'Up to the due date, today included; 0 when it is over, null without one.', example: 55 }),
    required_hours_per_day: hours.meta({
      description: 'Remaining hours by days left; without a due date a seventh of the weekly goal.',
      example: 0.5,
    }),
    pace_7d: hours.meta({ description: 'Hours a day over the last 7 days, by everybody.', example: 0.75 }),
    pace_28d: hours.meta({ description: 'The same over 28 days.', example: 0.6 }),
    projected_completion: z.iso.date().nullable().meta({
      description:
        'The day on which the target is reached at the pace of the last 28 days, or of all days of a younger project. Null without study in these days, or when nothing remains or the project is paused.',
      example: '2026-03-19',
    }),
    safe_days: z.int().min(0).nullable().meta({
      description:
        'How many days, from today on, may pass without study before the project is behind. Null without an open plan.',
      example: 0,
    }),
    today_required_hours: hours.meta({
      description:
        "What is left of today's even share, of the way to the due date and of the weekly goal; the larger one. 0 when paused or done.",
      example: 0.25,
    }),
  })
  .meta({ id: 'Forecast' });
