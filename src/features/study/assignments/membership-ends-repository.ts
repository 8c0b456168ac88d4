import { type Parameter, type Sql, sql, t } from '../../../db/sql/sql.ts';
import { many } from '../../../db/statements.ts';

// The names of projects as users saw them last: those who no longer see a project and have studied on it still see its name.

const pairColumns = { project_id: t.bigint, user_id: t.bigint };
/** Some users of a project. */
export type Members = { project_id: number; user_ids: readonly number[] };

/** SQL: users who are assigned again see the current name of the project. `added`: pairs of `projects` and `users`. */
export const rejoined = (projects: Parameter, users: Parameter, added: Sql) => sql`
  rejoined AS (
    DELETE FROM project_membership_ends e
    WHERE e.user_id = ANY(${users}) AND e.project_id = ANY(${projects}) AND (e.project_id, e.user_id) IN (${added}))`;

// The index of totals is read once for each user (LATERAL with OFFSET is not planned as another join), that of running records by an
// array, and IN with OR is hashed: joins of sets of unknown size could read whole tables.
/**
 * Keeps the names of projects for users who no longer see them and have studied; nothing else shows these names. Returns the pairs
 * of users who are studying.
 */
export const keepNames = many('keep_names_of_projects', pairColumns, (left: readonly Members[]) => {
  const projectsOf = new Map<number, number[]>();
  for (const { project_id, user_ids } of left)
    for (const id of user_ids) {
      const projects = projectsOf.get(id);
      if (projects === undefined) projectsOf.set(id, [project_id]);
      else projects.push(project_id);
    }
  const users = t.bigints([...projectsOf.keys()]);
  const projects = t.texts([...projectsOf.values()].map((ids) => `{${ids.join()}}`));
  return sql`
    WITH leaving AS MATERIALIZED (
      SELECT l.user_id, l.project_ids::bigint[] FROM unnest(${users}, ${projects}) AS l (user_id, project_ids)),
    recorded AS MATERIALIZED (
      SELECT l.user_id, o.project_id FROM leaving l CROSS JOIN LATERAL (
        SELECT o.project_id FROM project_user_totals o
        WHERE o.user_id = l.user_id AND o.project_id = ANY(l.project_ids) OFFSET 0) AS o),
    running AS MATERIALIZED (
      SELECT s.user_id, s.project_id FROM study_sessions s WHERE s.user_id = ANY(${users}) AND s.ended_at IS NULL),
    studied AS MATERIALIZED (
      SELECT l.user_id, k.project_id FROM leaving l CROSS JOIN unnest(l.project_ids) AS k (project_id)
      WHERE (l.user_id, k.project_id) IN (SELECT user_id, project_id FROM recorded)
        OR (l.user_id, k.project_id) IN (SELECT user_id, project_id FROM running)),
    kept AS (
      INSERT INTO project_membership_ends (user_id, project_id, ended_at, project_name)
      SELECT k.user_id, p.id, clock_timestamp(), p.name
      FROM studied k JOIN projects p ON p.id = k.project_id AND p.user_id <> k.user_id
      WHERE k.user_id = ANY(ARRAY(SELECT u.id FROM users u WHERE u.id = ANY(${users}) AND u.role <> 'admin'))
      ON CONFLICT (user_id, project_id) DO UPDATE
        SET ended_at = excluded.ended_at, project_name = excluded.project_name
      RETURNING project_id, user_id)
    SELECT k.project_id, k.user_id FROM kept k JOIN running USING (project_id, user_id)`;
});
