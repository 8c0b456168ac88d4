import type { z } from 'zod';
import type { AuditEntryRow } from './audit-read-model.ts';
import type { auditEntry } from './audit-schemas.ts';

export function toAuditEntryResponse(row: AuditEntryRow): z.input<typeof auditEntry> {
  const { id, at, action, request_id, target_type, target_ids, before, after } = row;
  const actor = { id: row.actor_id, username: row.actor_username };
  return { id, at, actor, action, request_id, target_type, target_ids, before, after };
}
