import type { z } from 'zod';
import { namedList, selectList } from '../../db/sql/column-lists.ts';
import { constant, type Sql, sql } from '../../db/sql/sql.ts';
import { type RowOf, t } from '../../db/sql/types.ts';
import type { Reader } from './project-policy.ts';
import type { project } from './project-response-schemas.ts';
import { projectCategories, projectStatuses, ratingStandards } from './project-schemas.ts';
import { manageableBy } from './project-visibility.ts';

const plainColumns = {
  id: t.bigint,
  name: t.text,
  description: t.text,
  status: t.oneOf(projectStatuses),
  category: t.oneOf(projectCategories),
  target_hours: t.numeric,
  due_date: t.date.orNull,
  current_hours: t.numeric,
  progress: t.numeric,
  rating_standard: t.oneOf(ratingStandards),
  weekly_goal_hours: t.numeric.orNull,
  own_hours: t.numeric,
  own_last_session: t.timestamptz.orNull,
  image: t.text.orNull,
  user_id: t.bigint,
  created_at: t.timestamptz,
  updated_at: t.timestamptz,
  row_version: t.bigint,
};
/** The columns of a project as returned to a reader. */
export const projectColumns = { ...plainColumns, assigned_user_ids: t.bigints };
export type ProjectRow = RowOf<typeof projectColumns>;

const selectPlain = constant(
  selectList(plainColumns, sql`p`, {
    own_hours: sql`coalesce(own.hours, 0)`,
    own_last_session: sql`own.last_session`,
  }),
);

/** SQL: these columns of a row `p` of projects; the caller joins `ownPart`. */
export const selectProject = (assignedUserIds: Sql): Sql =>
  sql`${selectPlain}, ${assignedUserIds} AS assigned_user_ids`;

/** A timestamp in the format of the API; the session time zone is UTC. */
const isoTime = (moment: Sql): Sql => sql`to_char(${moment}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** The response fields in SQL; equivalent to `toProjectResponse`. */
const responseFields: Record<keyof z.input<typeof project>, Sql> = {
  id: sql`p.id`,
  name: sql`p.name`,
  description: sql`p.description`,
  status: sql`p.status`,
  category: sql`p.category`,
  target_hours: sql`trim_scale(p.target_hours)`,
  current_hours: sql`trim_scale(p.current_hours)`,
  progress: sql`trim_scale(p.progress)`,
  rating_standard: sql`p.rating_standard`,
  due_date: sql`p.due_date`,
  weekly_goal_hours: sql`trim_scale(p.weekly_goal_hours)`,
  own_hours: sql`coalesce(trim_scale(own.hours), 0)`,
  own_last_session: isoTime(sql`own.last_session`),
  image: sql`p.image`,
  user_id: sql`p.user_id`,
  assigned_user_id: sql`assigned.ids[1]`,
  assigned_user_ids: sql`assigned.ids`,
  created_at: isoTime(sql`p.created_at`),
  updated_at: isoTime(sql`p.updated_at`),
  etag: sql`concat('"', p.row_version, '"')`,
};

const responseItem = constant(namedList(responseFields));

/** SQL: joins the response `item` to a project `p` with its `ownPart`. */
export const joinResponse = (reader: Reader): Sql => sql`
  CROSS JOIN LATERAL (SELECT ${assignedUserIds(reader)} AS ids OFFSET 0) AS assigned -- otherwise it is evaluated for each use
  CROSS JOIN LATERAL (SELECT ${responseItem}) AS item`;

/** SQL: joins the totals of the reader on project `p`, as `own`. */
export const ownPart = (reader: Pick<Reader, 'id'>): Sql =>
  sql`LEFT JOIN project_user_totals own ON own.user_id = ${t.bigint(reader.id)} AND own.project_id = p.id`;

/** SQL: the assigned users, in order, that the reader may see: all if they manage the project, else only themselves. */
export function assignedUserIds(reader: Reader): Sql {
  return sql`ARRAY(
    SELECT a.user_id FROM project_assignments a
    WHERE a.project_id = p.id AND (${manageableBy(reader)} OR a.user_id = ${t.bigint(reader.id)})
    ORDER BY a.position, a.id)`;
}
