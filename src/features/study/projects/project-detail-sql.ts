import type { Reader } from '../../../actor.ts';
import { constant, type RowOf, sql, t } from '../../../db/sql/sql.ts';
import { query } from '../../../db/sql/statement.ts';
import {
  colorFor,
  isAssigned,
  ownPart,
  projectColumns,
  selectProject,
  visibleTo,
} from '../project-access/project-sql.ts';

const detailColumns = {
  ...projectColumns,
  visible: t.boolean,
  sessions_count: t.integer,
  last_session: t.timestamptz.orNull,
  achievements: t.json<{ id: number; earned_at: string }[]>(),
};
export type ProjectDetailRow = RowOf<typeof detailColumns>;

export type DetailRequest = { reader: Reader; id: number };
const requester = {
  id: sql`r.reader_id`,
  isAdmin: sql`r.reader_role = 'admin'`,
  isLimited: sql`r.reader_role = 'class_admin'`,
};
// An administrator mostly reads projects of others, which no project of their own has to differ from.
const color = colorFor(
  requester.id,
  sql`project_hues(${requester.id}) WHERE p.user_id = ${requester.id} OR ${isAssigned(requester.id)}`,
);
const selectDetail = constant(sql`
    SELECT ${selectProject(requester, color)}, ${visibleTo(requester)} AS visible, p.sessions_count,
      (SELECT max(s.ended_at) FROM study_sessions s WHERE s.project_id = p.id AND s.ended_at IS NOT NULL) AS last_session,
      coalesce(
        (SELECT json_agg(json_build_object('id', e.achievement_id, 'earned_at', e.earned_at)
           ORDER BY e.earned_at, e.achievement_id)
         FROM project_achievements e WHERE e.project_id = p.id), '[]') AS achievements
    FROM projects p ${ownPart(requester)} WHERE p.id = r.id AND p.deleted_at IS NULL`);
// Subqueries hide the arrays from the planner, which would otherwise plan again for every length.
export const findDetails = query(
  'find_project_details',
  { position: t.bigint, ...detailColumns },
  (requests: readonly DetailRequest[]) => sql`
    SELECT r.position, p.*
    FROM unnest((SELECT ${t.bigints(requests.map(({ id }) => id))}),
      (SELECT ${t.bigints(requests.map(({ reader }) => reader.id))}),
      (SELECT ${t.texts(requests.map(({ reader }) => reader.role))}))
      WITH ORDINALITY AS r (id, reader_id, reader_role, position)
    CROSS JOIN LATERAL (${selectDetail} OFFSET 0) AS p`,
);
