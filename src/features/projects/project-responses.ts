import type { z } from 'zod';
import { itemTag } from '../../http/reply.ts';
import { type Locale, translate } from '../../messages/index.ts';
import { describeAchievement } from '../achievements/achievement-catalogue.ts';
import type { TrashRow } from './list/project-list-read-model.ts';
import type { ProjectDetailRow } from './project-repository.ts';
import type { assignableUser, category, project, projectDetail, trashedProject } from './project-response-schemas.ts';
import { projectCategories } from './project-schemas.ts';
import type { ProjectRow } from './project-sql.ts';

export function toProjectResponse(row: ProjectRow): z.input<typeof project> {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    status: row.status,
    category: row.category,
    target_hours: row.target_hours,
    current_hours: row.current_hours,
    progress: row.progress,
    rating_standard: row.rating_standard,
    due_date: row.due_date,
    weekly_goal_hours: row.weekly_goal_hours,
    target_scope: row.target_scope,
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
