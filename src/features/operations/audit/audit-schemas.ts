import { z } from 'zod';
import type { Between } from '../../../db/periods.ts';
import { idText, pageQuery } from '../../../http/fields.ts';
import { moment } from '../../../http/time-fields.ts';

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

export const namedTypes = ['user', 'project', 'group'] as const;
export type NamedType = (typeof namedTypes)[number];
