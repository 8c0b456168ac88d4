import { z } from 'zod';
import type { Between } from '../../../db/periods.ts';
import {
  id,
  itemEtag,
  moment,
  pageQuery,
  paginate,
  pagination,
  queryFlag,
  text,
  timestamp,
} from '../../../http/fields.ts';
import { itemTag } from '../../../http/reply.ts';
import { contactStatuses, contactSubjects } from '../submissions/contact-schemas.ts';
import type { ContactRow, EarlierRow, InboxCounts } from './inbox-read-model.ts';

export const replyHours = 24;

export const contactRequest = z
  .object({
    id,
    name: z.string().meta({ example: '林小雨' }),
    email: z.string().meta({ example: 'lin@example.org' }),
    phone: z.string().optional().meta({ example: '13800138000' }),
    subject: z.enum(contactSubjects),
    message: z.string().meta({ example: '我想注册一个账号。' }),
    status: z.enum(contactStatuses).meta({ example: 'reviewed' }),
    admin_note: z.string().nullable().meta({ example: 'Account created on Monday.' }),
    ip_address: z.string().meta({ example: '203.0.113.7' }),
    user_agent: z.string().meta({ example: 'Mozilla/5.0' }),
    user_id: id
      .optional()
      .meta({ description: 'The account that was created or got a new password for this request, if any.' }),
    handled_by: z
      .object({ id, username: z.string().meta({ example: 'head' }) })
      .nullable()
      .meta({ description: 'The administrator who last changed its status or note.' }),
    overdue: z.boolean().meta({ description: 'Whether it is unresolved after 24 hours.', example: false }),
    created_at: timestamp,
    updated_at: timestamp,
    etag: itemEtag,
  })
  .meta({ id: 'ContactRequest' });
export const contactRequestDetail = contactRequest
  .extend({
    earlier_requests: z
      .array(z.object({ id, subject: z.enum(contactSubjects), status: z.enum(contactStatuses), created_at: timestamp }))
      .meta({ description: 'From the same e-mail address, newest first; at most 20.' }),
  })
  .meta({ id: 'ContactRequestDetail' });
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

export const inboxPage = z.object({
  requests: z.array(contactRequest),
  pagination,
  stats: z.object({ pending: z.int(), reviewed: z.int(), resolved: z.int(), total: z.int() }).meta({
    description: 'Counts over all requests, regardless of the filters.',
    example: { pending: 3, reviewed: 1, resolved: 12, total: 16 },
  }),
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

export const advancedRequest = contactRequest.pick({
  id: true,
  name: true,
  email: true,
  status: true,
  admin_note: true,
  updated_at: true,
});

function toContactRequestResponse(row: ContactRow): z.input<typeof contactRequest> {
  const { id, name, email, phone, subject, message, status, admin_note } = row;
  const { ip_address, user_agent, user_id, created_at, updated_at, handled_by, handler_username, overdue } = row;
  return {
    id,
    name,
    email,
    ...(phone !== null && { phone }),
    subject,
    message,
    status,
    admin_note,
    ip_address,
    user_agent,
    ...(user_id !== null && { user_id }),
    handled_by: handled_by === null ? null : { id: handled_by, username: handler_username ?? '' },
    overdue,
    created_at,
    updated_at,
    etag: itemTag(row.row_version),
  };
}

export function toContactRequestDetailResponse(
  row: ContactRow,
  earlier_requests: readonly EarlierRow[],
): z.input<typeof contactRequestDetail> {
  return { ...toContactRequestResponse(row), earlier_requests: [...earlier_requests] };
}

export function toInboxResponse(
  requests: readonly ContactRow[],
  { found, pending, reviewed, resolved, total }: InboxCounts,
  { page, limit }: Pick<InboxQuery, 'page' | 'limit'>,
): z.input<typeof inboxPage> {
  return {
    requests: requests.map(toContactRequestResponse),
    pagination: paginate(page, limit, found),
    stats: { pending, reviewed, resolved, total },
  };
}
