import { z } from 'zod';
import type { Between } from '../../../db/periods.ts';
import { id, idText, moment, pageQuery, pagination, timestamp } from '../../../http/fields.ts';
import type { AuditEntryRow } from './audit-read-model.ts';

export const auditTargetTypes = [
  'user',
  'project',
  'assignment',
  'contact_request',
  'session',
  'export',
  'group',
  'personal_token',
  'webhook',
  'term',
  'school_day',
] as const;
export type AuditTargetType = (typeof auditTargetTypes)[number];

export const auditQuery = z.object({
  ...pageQuery,
  actor: idText.optional().meta({ description: 'Changes made by this administrator.' }),
  action: z
    .string()
    .regex(/^[A-Za-z]{1,64}$/, { error: 'invalid_text' })
    .optional()
    .meta({ description: 'Changes made through this operation.', example: 'updateUser' }),
  target_type: z.enum(auditTargetTypes).optional().meta({ description: 'Changes to objects of this type.' }),
  target_id: idText.optional().meta({ description: 'Changes to the object with this id, of any type.' }),
  from: moment.optional().meta({ description: 'On this day, or at this time, or later.' }),
  to: moment.optional().meta({
    description:
      'Before the end of this day, which is included, or before this time, which is not. Days are those of the caller.',
  }),
});
export type AuditQuery = Between<z.output<typeof auditQuery>>;

const columns = z.record(z.string(), z.unknown()).nullable();

const auditEntry = z
  .object({
    id,
    at: timestamp,
    actor: z.object({ id, username: z.string().meta({ example: 'lin' }) }),
    action: z.string().meta({ description: 'The `operationId` in this document.', example: 'updateUser' }),
    request_id: z
      .string()
      .meta({ description: 'The `X-Request-Id` of the response, as in the log.', example: 'b2a1c7de-0001' }),
    target_type: z.enum(auditTargetTypes),
    target_ids: z.array(id).meta({
      description: 'One id; for assignments, those of the projects; empty for exports, whose filter is in `after`.',
    }),
    before: columns.meta({
      description: 'The changed fields before the change; null for a new object.',
      example: { role: 'user' },
    }),
    after: columns.meta({
      description: 'The changed fields after the change; null for a deleted object.',
      example: { role: 'admin' },
    }),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntry = z.output<typeof auditEntry>;

export const namedTypes = ['user', 'project', 'group'] as const;
export type NamedType = (typeof namedTypes)[number];

const auditName = z
  .object({ type: z.enum(namedTypes), id, name: z.string().meta({ example: 'Lin Wei' }) })
  .meta({ id: 'AuditName' });

export const auditPage = z.object({
  entries: z.array(auditEntry),
  names: z.array(auditName).meta({
    description:
      'Current names of the users, projects and groups in these entries that still exist; for a long list of ids, those of the first ten.',
  }),
  pagination,
});

export function toAuditEntryResponse(row: AuditEntryRow): z.input<typeof auditEntry> {
  const { id, at, action, request_id, target_type, target_ids, before, after } = row;
  const actor = { id: row.actor_id, username: row.actor_username };
  return { id, at, actor, action, request_id, target_type, target_ids, before, after };
}
