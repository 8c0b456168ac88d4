import { type Sql, sql, t } from '../../../db/sql/sql.ts';
import { many } from '../../../db/statements.ts';

/** SQL: whether the seconds, less what is subtracted, reach the target of a project `p`. */
const reaches = (seconds: Sql): Sql => sql`(p.target_hours > 0 AND coalesce(${seconds}, 0) >= p.target_hours * 3600)`;

/** SQL: whether all together have reached the target of a project `p` by adding `r.added` seconds. */
export const reachedTogether: Sql = sql`(
  ${reaches(sql`p.current_seconds`)} AND NOT ${reaches(sql`p.current_seconds - r.added`)})`;

/** SQL: whether each is to reach the target of a project `p`, and the user with the total `own` has. */
export const reachedAlone: Sql = sql`(p.target_scope = 'each' AND ${reaches(sql`own.seconds`)})`;

/** SQL: whether a goal is reached by adding `r.added` seconds, of which `r.own_added` are those of the user with the total `own`. */
export const reachesGoal: Sql = sql`CASE p.target_scope
  WHEN 'each' THEN ${reachedAlone} AND NOT ${reaches(sql`own.seconds - r.own_added`)} ELSE ${reachedTogether} END`;

/** Who has reached the targets of projects, in the order of their ids: all together (null), or users, if each is to reach it. */
export const listReached = many(
  'list_reached_targets',
  { project_id: t.bigint, user_id: t.bigint.orNull },
  (projectIds: readonly number[]) => sql`
    SELECT p.id AS project_id, k.user_id
    FROM projects p LEFT JOIN (
        SELECT o.project_id, o.user_id, o.seconds FROM project_user_totals o JOIN users u ON u.id = o.user_id AND u.deleted_at IS NULL
      ) AS k ON k.project_id = p.id AND p.target_scope = 'each'
    WHERE p.id = ANY (${t.bigints(projectIds)}) AND (
      p.target_scope = 'shared' AND ${reaches(sql`p.current_seconds`)} OR ${reaches(sql`k.seconds`)})
    ORDER BY p.id, k.user_id`,
);

/** A reached target, and the user who reached it alone; null: all together. */
export type ReachedTarget = { project_id: number; user_id: number | null };
