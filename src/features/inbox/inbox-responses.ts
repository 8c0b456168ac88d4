import type { z } from 'zod';
import { paginate } from '../../http/fields.ts';
import { itemTag } from '../../http/reply.ts';
import type { ContactRow, EarlierRow, InboxCounts } from './inbox-read-model.ts';
import type { contactRequest, contactRequestDetail, InboxQuery, inboxPage } from './inbox-schemas.ts';

export function toContactRequestResponse(row: ContactRow): z.input<typeof contactRequest> {
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
  { page, limit }: InboxQuery,
): z.input<typeof inboxPage> {
  return {
    requests: requests.map(toContactRequestResponse),
    pagination: paginate(page, limit, found),
    stats: { pending, reviewed, resolved, total },
  };
}
