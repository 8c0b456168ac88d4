import { z } from 'zod';
import { id, itemEtag, paginate, pagination } from '../../../http/fields.ts';
import { itemTag } from '../../../http/reply.ts';
import { timestamp } from '../../../http/time-fields.ts';
import { contactStatuses, contactSubject } from '../submissions/contact-schemas.ts';
import type { ContactRow, EarlierRow, InboxCounts } from './inbox-read-model.ts';
import type { InboxQuery } from './inbox-schemas.ts';

export const contactRequest = z
  .object({
    id,
    name: z.string().meta({ example: '林小雨' }),
    email: z.string().meta({ example: 'lin@example.org' }),
    phone: z.string().optional().meta({ example: '13800138000' }),
    subject: contactSubject,
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
      .array(z.object({ id, subject: contactSubject, status: z.enum(contactStatuses), created_at: timestamp }))
      .meta({ description: 'From the same e-mail address, newest first; at most 20.' }),
  })
  .meta({ id: 'ContactRequestDetail' });

export const inboxPage = z.object({
  requests: z.array(contactRequest),
  pagination,
  stats: z.object({ pending: z.int(), reviewed: z.int(), resolved: z.int(), total: z.int() }).meta({
    description: 'Counts over all requests, regardless of the filters.',
    example: { pending: 3, reviewed: 1, resolved: 12, total: 16 },
  }),
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
