import { z } from 'zod';
import type { Between } from '../../../db/periods.ts';
import { id, pageQuery, queryFlag, text } from '../../../http/fields.ts';
import { moment } from '../../../http/time-fields.ts';
import { contactStatuses, contactSubjects } from '../submissions/contact-schemas.ts';

export const replyHours = 24;
const filters = {
  status: z
    .enum(['all', ...contactStatuses])
    .default('all')
    .meta({ description: 'Requests in this state.' }),
  subject: z
    .enum(['all', ...contactSubjects])
    .default('all')
    .meta({ description: 'Requests with this subject.' }),
  search: text({ max: 100 })
    .optional()
    .meta({ description: 'Part of the name, e-mail, phone or message, ignoring case.' }),
  email: text({ max: 254 }).optional().meta({ description: 'This e-mail address, ignoring case.' }),
  from: moment.optional().meta({ description: 'Received on this day, or at this time, or later.' }),
  to: moment.optional().meta({
    description:
      'Received before the end of this day, which is included, or before this time, which is not. Days are those of the caller.',
  }),
  overdue: queryFlag.optional().meta({ description: 'Unresolved after 24 hours, or not.' }),
};
const inboxFilters = z.object(filters);
export type InboxFilters = Between<z.output<typeof inboxFilters>>;

export const inboxQuery = z.object({
  ...pageQuery,
  ...filters,
  order: z.enum(['asc', 'desc']).default('desc').meta({ description: 'The order by time of receipt.' }),
});
export type InboxQuery = Between<z.output<typeof inboxQuery>>;

export const exportQuery = z.object({
  format: z.enum(['csv']).default('csv').meta({ description: 'The format of the file.' }),
  ...filters,
});

export const advanceBody = z.object({
  status: z.enum(contactStatuses).meta({ example: 'reviewed' }),
  adminNote: text({ max: 1000, multiline: true }).nullable().optional().meta({
    description: 'Absent leaves the note unchanged; null or "" clears it.',
    example: 'Account created on Monday.',
  }),
});
export type Advance = z.output<typeof advanceBody>;

export const bulkBody = z
  .object({
    ids: z
      .array(id)
      .min(1)
      .max(200)
      .meta({ description: 'At most 200.', example: [3, 4] }),
    status: z.enum(contactStatuses).optional().meta({ description: 'Moves the requests forward to this state.' }),
    delete: z.literal(true).optional().meta({ description: 'Deletes the requests instead.' }),
  })
  .superRefine((body, context) => {
    if ((body.status === undefined) === (body.delete === undefined))
      context.addIssue({ code: 'custom', path: ['status'], message: 'status_or_delete' });
  })
  .meta({ example: { ids: [3, 4], status: 'resolved' } });
export type BulkInput = z.output<typeof bulkBody>;

export const bulkOutcomes = ['updated', 'unchanged', 'status_backward', 'deleted', 'not_found'] as const;

export const bulkResult = z.object({
  changed_count: z.int().meta({ description: 'Requests updated or deleted.', example: 2 }),
  results: z
    .array(z.object({ id, outcome: z.enum(bulkOutcomes) }))
    .meta({ description: 'One per distinct id, in the order of the request.' }),
});
