import { z } from 'zod';
import { id } from '../../../http/fields.ts';
import { timestamp } from '../../../http/time-fields.ts';
import { contactRequest } from '../../contact/inbox/inbox-responses.ts';
import { project } from '../../study/projects/project-responses.ts';
import { session } from '../../study/study-sessions/session-responses.ts';

export const webhookProject = project
  .pick({
    id: true,
    name: true,
    description: true,
    status: true,
    category: true,
    target_hours: true,
    current_hours: true,
    progress: true,
    rating_standard: true,
    due_date: true,
    weekly_goal_hours: true,
    target_scope: true,
    color: true,
    user_id: true,
    created_at: true,
    updated_at: true,
  })
  .extend({ image: z.string().nullable().meta({ description: 'The path of the cover image.' }) })
  .meta({ id: 'WebhookProject' });
export type WebhookProject = z.input<typeof webhookProject>;

export const webhookGoal = webhookProject
  .extend({
    reached_by: id.nullable().meta({
      description:
        'The user who reached the target with their own hours, if `target_scope` is `each`; `null`: all together.',
    }),
  })
  .meta({ id: 'WebhookGoal' });

export const webhookSession = session
  .omit({ project_name: true, username: true, planned_minutes: true, etag: true })
  .extend({ duration_seconds: z.int().meta({ description: '0 while the timer runs.', example: 5400 }) })
  .meta({ id: 'WebhookSession' });
export type WebhookSession = z.input<typeof webhookSession>;

/** Without the sender's text, which must not outlive the request. */
export const webhookRequest = contactRequest
  .pick({ id: true, subject: true, status: true, created_at: true, updated_at: true })
  .extend({
    user_id: id
      .nullable()
      .meta({ description: 'The account that was created or got a new password for this request.' }),
    handled_by: id.nullable().meta({ description: 'The administrator who last changed its status or note.' }),
  })
  .meta({ id: 'WebhookContactRequest' });

/** At most so many ids of users are in an event. */
export const maxUserIds = 1000;

/** The events that a webhook can select, with their `data`. */
export const webhookData = {
  'project.created': webhookProject,
  'project.updated': webhookProject,
  'project.deleted': z.object({ id }),
  'project.restored': webhookProject,
  'assignment.changed': z.object({
    project_id: id,
    change: z.enum(['assigned', 'unassigned']),
    users_count: z.int().meta({ description: 'The number of users.', example: 2 }),
    user_ids: z
      .array(id)
      .max(maxUserIds)
      .meta({ description: 'The first 1,000 users.', example: [7, 9] }),
  }),
  'session.created': webhookSession,
  'session.updated': webhookSession,
  'session.deleted': z.object({ id, project_id: id, user_id: id }),
  'session.imported': z.object({
    import_id: id,
    user_id: id,
    sessions_count: z.int().meta({ description: 'The number of created records.', example: 340 }),
    project_ids: z.array(id).meta({ description: 'The projects of the records.', example: [42] }),
  }),
  'goal.reached': webhookGoal,
  'contact.created': webhookRequest,
  'contact.status_changed': webhookRequest,
} as const;

/** Events that every webhook gets. */
const noticeData = {
  'events.skipped': z
    .object({
      webhook_id: id,
      user_id: id.nullable().meta({ description: 'Whose events; `null`: those of everybody.' }),
      from: timestamp,
      until: timestamp,
    })
    .meta({ description: 'Events that were not recorded in this time, because too many of them waited.' }),
  ping: z.object({ webhook_id: id }),
} as const;

/** All events that a webhook may get. */
export const deliveryData = { ...webhookData, ...noticeData };

export type WebhookEvent = keyof typeof webhookData;
export const webhookEvents = Object.keys(webhookData) as WebhookEvent[]; // the keys of this object

export type WebhookMessage = {
  [Type in WebhookEvent]: { type: Type; object: string; data: z.input<(typeof webhookData)[Type]> };
}[WebhookEvent];
