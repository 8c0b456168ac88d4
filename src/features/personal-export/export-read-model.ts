import type { Database } from '../../db/database.ts';
import { readRows, type TakeRows } from '../../db/row-stream.ts';
import { type RowOf, sql, t } from '../../db/sql/sql.ts';
import { query } from '../../db/sql/statement.ts';
import { ownPart, projectColumns, selectProject, visibleTo } from '../projects/project-sql.ts';

const exportedColumns = { ...projectColumns, deleted_at: t.timestamptz.orNull };
export type ExportedProject = RowOf<typeof exportedColumns>;

// Independent of the role: administrators get their own projects, not all.
const readerOf = (id: number) => ({ id, role: 'user' }) as const;

const exportProjects = query('export_projects_of_user', exportedColumns, (userId: number) => {
  const reader = readerOf(userId);
  return sql`
    SELECT ${selectProject(reader)}, p.deleted_at
    FROM projects p ${ownPart(reader)}
    WHERE p.user_id = ${t.bigint(userId)} OR (p.deleted_at IS NULL AND ${visibleTo(reader)})
    ORDER BY p.id`;
});

const assignmentColumns = { project_id: t.bigint, project_name: t.text, assigned_at: t.timestamptz };
export type ExportedAssignment = RowOf<typeof assignmentColumns>;
const exportAssignments = query(
  'export_assignments_of_user',
  assignmentColumns,
  (userId: number) => sql`
    SELECT a.project_id, p.name AS project_name, a.assigned_at
    FROM project_assignments a JOIN projects p ON p.id = a.project_id
    WHERE a.user_id = ${t.bigint(userId)} ORDER BY a.project_id`,
);

const listGroups = query(
  'export_groups_of_user',
  { name: t.text, added_at: t.timestamptz },
  (userId: number) => sql`
    SELECT g.name, m.added_at FROM group_members m JOIN groups g ON g.id = m.group_id
    WHERE m.user_id = ${t.bigint(userId)} ORDER BY g.id LIMIT 10000`,
);

export function createExportReadModel(database: Database) {
  return {
    /** Own projects, including deleted ones, and assigned projects. */
    readProjects: (userId: number, take: TakeRows<ExportedProject>) => readRows(database, exportProjects(userId), take),
    readAssignments: (userId: number, take: TakeRows<ExportedAssignment>) =>
      readRows(database, exportAssignments(userId), take),
    listGroups: (userId: number) => database.many(listGroups(userId)),
  };
}
export type ExportReadModel = ReturnType<typeof createExportReadModel>;
