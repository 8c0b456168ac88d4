import { z } from 'zod';
import { id, itemEtag, pagination } from '../../../http/fields.ts';
import { itemTag } from '../../../http/reply.ts';
import { timestamp } from '../../../http/time-fields.ts';
import { type Locale, translate } from '../../../texts/index.ts';
import { describeAchievement } from '../achievements/achievement-catalogue.ts';
import { fieldsOf, shownFields } from '../project-access/project-fields.ts';
import type { ProjectRow } from '../project-access/project-sql.ts';
import { colors, projectCategories, projectStatuses } from '../project-access/project-values.ts';
import type { TrashRow } from './list/project-list-read-model.ts';
import type { ProjectDetailRow } from './project-detail-sql.ts';

const { name, description, category: projectCategory, target_hours, ...otherFields } = shownFields;
export const project = z
  .object({
    id,
    name,
    description,
    status: z.enum(projectStatuses),
    category: projectCategory,
    target_hours,
    current_hours: z.number().meta({ example: 12.5 }),
    progress: z.number().min(0).max(100).meta({ example: 31.25 }),
    ...otherFields,
    color: z.int().min(1).max(colors).meta({
      id: 'ProjectColor',
      description:
        'Until one is chosen, it follows from the id and is another one than those of the other active projects of the reader, while these are at most twelve.',
      example: 6,
    }),
    own_hours: z.number().meta({ description: 'The part of `current_hours` studied by the caller.', example: 4.5 }),
    own_progress: z.number().min(0).max(100).meta({
      description: "The caller's own hours in percent of the target, at most 100; 0 without a target.",
      example: 11.25,
    }),
    own_last_session: timestamp.nullable().meta({ description: "The end of the caller's latest finished record." }),
    image: z.string().optional().meta({ description: 'The path of the cover image; absent if there is none.' }),
    user_id: id.meta({ description: 'The creator, who owns the project.', example: 1 }),
    assigned_user_id: id.nullable().meta({
      deprecated: true,
      description: 'Deprecated: use `assigned_user_ids`, whose first it is.',
      example: 7,
    }),
    assigned_user_ids: z.array(id).meta({
      description: 'All assigned users for the owner and administrators; others see at most themselves.',
      example: [7, 9],
    }),
    members_count: z.int().nullable().meta({
      description: 'The number of assigned users; null for assigned users if there are fewer than five.',
      example: 2,
    }),
    created_at: timestamp,
    updated_at: timestamp,
    etag: itemEtag,
  })
  .meta({ id: 'Project' });

const earnedAchievement = z.object({
  id: id.meta({ example: 1 }),
  name: z.string().meta({ example: 'First step' }),
  description: z.string().meta({ example: 'Complete the first study record.' }),
  icon: z.string().meta({ description: 'The path of the picture.', example: '/achievements/first_record.svg' }),
  earned_at: timestamp,
});

export const projectDetail = project
  .extend({
    sessions_count: z.int().meta({ description: 'Finished records.', example: 9 }),
    last_session: timestamp.nullable().meta({ description: 'The end of the latest finished record.' }),
    achievements: z.array(earnedAchievement),
  })
  .meta({ id: 'ProjectDetail' });

export const trashedProject = project.extend({ deleted_at: timestamp });

export const projectPage = z.object({ projects: z.array(project), pagination });
export const trashPage = z.object({ projects: z.array(trashedProject), pagination });

export const category = z.object({
  id: z.enum(projectCategories),
  name: z.string().meta({ example: 'Academic' }),
  description: z.string().meta({ example: 'School and university subjects' }),
  icon: z.string().meta({ example: 'academic' }),
});

export const assignableUser = z.object({
  id: id.meta({ example: 7 }),
  user_id: id.meta({ description: 'The same as id.', example: 7 }),
  username: z.string().meta({ example: 'lin' }),
  display_name: z.string().meta({ example: 'Lin Wei' }),
  email: z.string().meta({ example: 'lin@example.org' }),
  status: z.literal('active'),
});

export function toProjectResponse(row: ProjectRow): z.input<typeof project> {
  return {
    id: row.id,
    ...fieldsOf(row),
    status: row.status,
    current_hours: row.current_hours,
    progress: row.progress,
    color: row.color,
    own_hours: row.own_hours,
    own_progress: row.own_progress,
    own_last_session: row.own_last_session,
    ...(row.image !== null && { image: row.image }),
    user_id: row.user_id,
    assigned_user_id: row.assigned_user_ids[0] ?? null,
    assigned_user_ids: row.assigned_user_ids,
    members_count: row.members_count,
    created_at: row.created_at,
    updated_at: row.updated_at,
    etag: itemTag(row.row_version),
  };
}

export function toTrashedProjectResponse(row: TrashRow): z.input<typeof trashedProject> {
  return { ...toProjectResponse(row), deleted_at: row.deleted_at };
}

export function toProjectDetailResponse(row: ProjectDetailRow, locale: Locale): z.input<typeof projectDetail> {
  return {
    ...toProjectResponse(row),
    sessions_count: row.sessions_count,
    last_session: row.last_session,
    achievements: row.achievements.map(({ id, earned_at }) => ({
      ...describeAchievement(id, locale),
      earned_at: new Date(earned_at).toISOString(), // PostgreSQL writes timestamps in JSON with an offset
    })),
  };
}

type AssignableUser = z.input<typeof assignableUser>;
export function toAssignableUserResponse({ id, ...user }: Omit<AssignableUser, 'user_id'>): AssignableUser {
  return { id, user_id: id, ...user };
}

export function toCategoryResponses(locale: Locale): z.input<typeof category>[] {
  return projectCategories.map((id) => ({
    id,
    name: translate({ key: `category_${id}` }, locale),
    description: translate({ key: `category_${id}_about` }, locale),
    icon: id,
  }));
}
