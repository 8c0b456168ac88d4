import type { Reader } from '../../../actor.ts';
import { byPosition, type Executor, only } from '../../../db/executor.ts';
import {
  columnDefinitions,
  columnNames,
  columnValues,
  constant,
  leftJoined,
  matched,
  type ParameterTypes,
  type RowOf,
  selectList,
  sql,
  t,
} from '../../../db/sql/sql.ts';
import { execute, many, maybeOne, one, value } from '../../../db/statements.ts';
import type { WriteRequest } from '../../../transactions/write-batch.ts';
import { claimed, outputsOf, requested } from '../../../transactions/write-batch-sql.ts';
import { fieldColumns } from '../project-access/project-fields.ts';
import {
  huesOfCreated,
  manageableBy,
  ownPart,
  projectColumns,
  selectNewProject,
  selectProject,
  visibleTo,
  wasOnlyInScope,
} from '../project-access/project-sql.ts';
import { projectStatuses } from '../project-access/project-values.ts';
import {
  type DetailRequest,
  findDetails as findDetailsStatement,
  type ProjectDetailRow,
} from './project-detail-sql.ts';
import type { CreateProjectInput } from './project-schemas.ts';

const stateColumns = {
  id: t.bigint,
  user_id: t.bigint,
  ...fieldColumns,
  status: t.oneOf(projectStatuses),
  color: t.integer.orNull,
  progress: t.numeric,
  row_version: t.bigint,
  deleted_at: t.timestamptz.orNull,
  former_user_ids: t.bigints.orNull,
};
/** The part of a project that rules depend on. */
export type ProjectState = RowOf<typeof stateColumns>;

type ProjectFields = Omit<CreateProjectInput, 'assigned_user_ids'>;
const fieldTypes: ParameterTypes<ProjectFields> = { ...fieldColumns, color: t.integer };
export type EditableFields = ProjectFields & Pick<ProjectState, 'status'>;
const editableTypes: ParameterTypes<EditableFields> = { ...fieldTypes, status: t.text };

const selectState = constant(sql`SELECT ${selectList(stateColumns, sql`p`)} FROM projects p`);

export const get = one(
  'get_project',
  projectColumns,
  (reader: Reader, id: number) =>
    sql`SELECT ${selectProject(reader)} FROM projects p ${ownPart(reader)} WHERE p.id = ${t.bigint(id)}`,
);

export type NewProject = ProjectFields & { user_id: number };
const newTypes: ParameterTypes<NewProject> = { user_id: t.bigint, ...fieldTypes };
const newColumns = columnNames(newTypes);
const newDefinitions = columnDefinitions(newTypes);

const createdColumns = {
  position: t.integer,
  verdict: t.text.orNull,
  ...leftJoined(projectColumns),
};
const batch = { input: newDefinitions, newId: sql`nextval('projects_id_seq')` };
type NewProjects = readonly WriteRequest<NewProject>[];

const createStatement = many(
  'create_projects',
  createdColumns,
  (requests: NewProjects, alone: boolean) => sql`
    WITH ${requested(requests, { ...batch, alone })},
    created AS (
      INSERT INTO projects (id, ${newColumns}) OVERRIDING SYSTEM VALUE
      SELECT r.new_id, ${newColumns} FROM requested r WHERE r.verdict IS NULL ORDER BY r.position RETURNING *),
    ${claimed}, ${huesOfCreated}
    SELECT r.position, r.verdict, ${selectNewProject} FROM requested r LEFT JOIN created p ON p.id = r.new_id`,
);

/** Also finds projects in the trash. */
export const find = maybeOne(
  'find_project',
  stateColumns,
  (id: number) => sql`${selectState} WHERE p.id = ${t.bigint(id)}`,
);
/** Also locks projects in the trash. */
export const lock = maybeOne(
  'lock_project',
  stateColumns,
  (id: number) => sql`${selectState} WHERE p.id = ${t.bigint(id)} FOR NO KEY UPDATE`,
);
/** Of a locked project, in the trash or not. A deleted one is assigned to nobody: those who were decide. */
export const findRights = one(
  'find_rights_on_project',
  { visible: t.boolean, manageable: t.boolean },
  (reader: Reader, id: number) => sql`
    SELECT ${visibleTo(reader)} AS visible, ${manageableBy(reader)} OR ${wasOnlyInScope(reader)} AS manageable
    FROM projects p WHERE p.id = ${t.bigint(id)}`,
);
/** `restartsPlan`: the days of pace count from now, since what was studied before had another goal. */
export const update = execute(
  'update_project',
  (id: number, fields: EditableFields, restartsPlan: boolean) => sql`
    UPDATE projects SET (${columnNames(editableTypes)}) = ROW(${columnValues(editableTypes, fields)}),
      plan_started_at = CASE WHEN ${t.boolean(restartsPlan)} THEN now() ELSE plan_started_at END
    WHERE id = ${t.bigint(id)}`,
);
/** Unassigns `assigned`, who are all assigned users, and stores them for a restore. Returns the time of deletion. */
export const trash = value(
  'trash_project',
  { deleted_at: t.timestamptz },
  (projectId: number, assigned: readonly number[]) => {
    const id = t.bigint(projectId);
    return sql`
    WITH unassigned AS (DELETE FROM project_assignments WHERE project_id = ${id})
    UPDATE projects SET deleted_at = now(), former_user_ids = ${t.bigints(assigned)} WHERE id = ${id} RETURNING deleted_at`;
  },
);
export const restore = execute(
  'restore_project',
  (id: number) => sql`UPDATE projects SET deleted_at = NULL, former_user_ids = NULL WHERE id = ${t.bigint(id)}`,
);

/** Of one day (UTC): further changes become one with the last of them, and none if the status is as before it. */
const maxStatusChanges = 10;
/** For records that are written later, and for pauses of streaks. The project is locked, so that the times are in the order of the changes. */
export const addStatusChange = execute('add_status_change', (projectId: number, before: string, after: string) => {
  const [id, status] = [t.bigint(projectId), t.text(after)];
  return sql`
    WITH today AS MATERIALIZED (
      SELECT c.id, c.from_status FROM project_status_changes c
      WHERE c.project_id = ${id} AND c.changed_at >= date_trunc('day', now(), 'UTC')
      ORDER BY c.changed_at DESC, c.id DESC LIMIT ${t.integer(maxStatusChanges)}),
    last AS (SELECT * FROM (SELECT d.id, d.from_status, count(*) OVER () AS number FROM today d LIMIT 1) AS l
      WHERE l.number = ${t.integer(maxStatusChanges)}),
    merged AS (
      UPDATE project_status_changes c SET to_status = ${status}, changed_at = clock_timestamp()
      FROM last l WHERE c.id = l.id AND l.from_status <> ${status}),
    undone AS (DELETE FROM project_status_changes c USING last l WHERE c.id = l.id AND l.from_status = ${status})
    INSERT INTO project_status_changes (project_id, from_status, to_status, changed_at)
    SELECT ${id}, ${t.text(before)}, ${status}, clock_timestamp() WHERE NOT EXISTS (SELECT FROM last)`;
});

export const editableFields = Object.keys(editableTypes) as (keyof EditableFields)[]; // those of the type

/** For each request, in their order. */
export const findDetails = async (
  db: Executor,
  requests: readonly DetailRequest[],
): Promise<(ProjectDetailRow | undefined)[]> => byPosition(requests, await db.many(findDetailsStatement(requests)));
/** Without assigned users. Returns the project or the error of each request. */
export async function create(db: Executor, requests: NewProjects, alone: boolean) {
  const rows = await createStatement(db, requests, alone);
  return outputsOf(requests, rows, (row) => only([matched(projectColumns, row)].flatMap((one) => one ?? [])));
}
