import { byPosition, type Executor, only } from '../../db/executor.ts';
import {
  columnDefinitions,
  columnNames,
  columnValues,
  constant,
  empty,
  leftJoined,
  matched,
  type ParameterTypes,
  type RowOf,
  selectList,
  sql,
  t,
} from '../../db/sql/sql.ts';
import { command, query } from '../../db/sql/statement.ts';
import { isDelivered, liveUpdatesOf } from '../../events/event-writer.ts';
import { bumpListVersions } from '../../list-cache/list-cache.ts';
import type { WriteRequest } from '../auth/write-batch.ts';
import { claimed, outputsOf, requested } from '../auth/write-batch-sql.ts';
import type { Reader } from './project-access.ts';
import { type DetailRequest, findDetails, type ProjectDetailRow } from './project-detail-sql.ts';
import {
  type CreateProjectInput,
  projectCategories,
  projectStatuses,
  ratingStandards,
  targetScopes,
} from './project-schemas.ts';
import { colorOf, isAssigned, ownPart, projectColumns, selectNewProject, selectProject } from './project-sql.ts';

const stateColumns = {
  id: t.bigint,
  user_id: t.bigint,
  name: t.text,
  description: t.text,
  status: t.oneOf(projectStatuses),
  category: t.oneOf(projectCategories),
  target_hours: t.numeric,
  rating_standard: t.oneOf(ratingStandards),
  due_date: t.date.orNull,
  weekly_goal_hours: t.numeric.orNull,
  target_scope: t.oneOf(targetScopes),
  color: t.integer.orNull,
  shown_color: t.integer,
  progress: t.numeric,
  row_version: t.bigint,
  deleted_at: t.timestamptz.orNull,
  former_user_ids: t.bigints.orNull,
};
/** The part of a project that rules depend on. */
export type ProjectState = RowOf<typeof stateColumns>;

type ProjectFields = Omit<CreateProjectInput, 'assigned_user_ids'>;
const fieldTypes: ParameterTypes<ProjectFields> = {
  name: t.text,
  description: t.text,
  category: t.text,
  target_hours: t.numeric,
  rating_standard: t.text,
  due_date: t.date,
  weekly_goal_hours: t.numeric,
  target_scope: t.text,
  color: t.integer,
};
export type EditableFields = ProjectFields & Pick<ProjectState, 'status'>;
const editableTypes: ParameterTypes<EditableFields> = { ...fieldTypes, status: t.text };

const selectState = constant(sql`SELECT ${selectList(stateColumns, sql`p`, { shown_color: colorOf })} FROM projects p`);

const getProject = query(
  'get_project',
  projectColumns,
  (reader: Reader, id: number) =>
    sql`SELECT ${selectProject(reader)} FROM projects p ${ownPart(reader)} WHERE p.id = ${t.bigint(id)}`,
);

const findShown = query('find_shown_project', projectColumns, (id: number) => {
  const nobody: Reader = { id: 0, role: 'admin' };
  return sql`
    SELECT ${selectProject(nobody)} FROM projects p ${ownPart(nobody)}
    WHERE p.id = ${t.bigint(id)} AND p.deleted_at IS NULL`;
});

const findAccess = query(
  'find_project_access',
  { user_id: t.bigint, assigned: t.boolean },
  (reader: Reader, id: number) => sql`
    SELECT p.user_id, ${isAssigned(t.bigint(reader.id))} AS assigned
    FROM projects p WHERE p.id = ${t.bigint(id)} AND p.deleted_at IS NULL`,
);

export type NewProject = ProjectFields & { user_id: number };
const newTypes: ParameterTypes<NewProject> = { user_id: t.bigint, ...fieldTypes };
const newColumns = columnNames(newTypes);
const newDefinitions = columnDefinitions(newTypes);

const createdColumns = {
  position: t.integer,
  verdict: t.text.orNull,
  delivered: t.boolean,
  ...leftJoined(projectColumns),
};
const batch = { input: newDefinitions, newId: sql`nextval('projects_id_seq')` };
type NewProjects = readonly WriteRequest<NewProject>[];
type CreateOptions = { alone: boolean; bumps: boolean; unlessDelivered?: boolean };

const delivered = isDelivered('project.created');

// The lists of owners are bumped last, by the event writer, if other lists are, too: all transactions lock them in id order.
const create = query('create_projects', createdColumns, (requests: NewProjects, options: CreateOptions) => {
  const { alone, bumps, unlessDelivered = false } = options;
  const owners = sql`SELECT c.user_id FROM created c`;
  const lists = sql`, versions AS (${bumpListVersions(owners)}), ${liveUpdatesOf(owners, 'projects')}`;
  return sql`
    WITH ${requested(requests, { ...batch, alone })},
    created AS (
      INSERT INTO projects (id, ${newColumns}) OVERRIDING SYSTEM VALUE
      SELECT r.new_id, ${newColumns} FROM requested r
      WHERE r.verdict IS NULL ${unlessDelivered ? sql`AND NOT ${delivered}` : empty} ORDER BY r.position RETURNING *),
    ${claimed} ${bumps ? lists : empty}
    SELECT r.position, r.verdict, ${delivered} AS delivered, ${selectNewProject}
    FROM requested r LEFT JOIN created p ON p.id = r.new_id`;
});

const find = query('find_project', stateColumns, (id: number) => sql`${selectState} WHERE p.id = ${t.bigint(id)}`);
const lock = query(
  'lock_project',
  stateColumns,
  (id: number) => sql`${selectState} WHERE p.id = ${t.bigint(id)} FOR NO KEY UPDATE`,
);
const update = command(
  'update_project',
  (id: number, fields: EditableFields, restartsPlan: boolean) => sql`
    UPDATE projects SET (${columnNames(editableTypes)}) = ROW(${columnValues(editableTypes, fields)}),
      plan_started_at = CASE WHEN ${t.boolean(restartsPlan)} THEN now() ELSE plan_started_at END
    WHERE id = ${t.bigint(id)}`,
);
const trash = query(
  'trash_project',
  { deleted_at: t.timestamptz },
  (projectId: number, assigned: readonly number[]) => {
    const id = t.bigint(projectId);
    return sql`
    WITH unassigned AS (DELETE FROM project_assignments WHERE project_id = ${id})
    UPDATE projects SET deleted_at = now(), former_user_ids = ${t.bigints(assigned)} WHERE id = ${id} RETURNING deleted_at`;
  },
);
const restore = command(
  'restore_project',
  (id: number) => sql`UPDATE projects SET deleted_at = NULL, former_user_ids = NULL WHERE id = ${t.bigint(id)}`,
);

export const editableFields = Object.keys(editableTypes) as (keyof EditableFields)[]; // those of the type

export function createProjectRepository(db: Executor) {
  return {
    findAccess: (reader: Reader, id: number) => db.maybeOne(findAccess(reader, id)),
    /** For each request, in their order. */
    findDetails: async (requests: readonly DetailRequest[]): Promise<(ProjectDetailRow | undefined)[]> =>
      byPosition(requests, await db.many(findDetails(requests))),
    get: (reader: Reader, id: number) => db.one(getProject(reader, id)),
    /**
     * Without assigned users. Returns the project or the error of each request, and whether a webhook gets `project.created`;
     * `unlessDelivered`: nothing is created then.
     */
    async create(requests: NewProjects, options: CreateOptions) {
      const rows = await db.many(create(requests, options));
      const wasDelivered = rows[0]?.delivered === true;
      if (wasDelivered && options.unlessDelivered) return { created: [], delivered: true };
      const created = outputsOf(requests, rows, (row) =>
        only([matched(projectColumns, row)].flatMap((one) => one ?? [])),
      );
      return { created, delivered: wasDelivered };
    },
    /** For nobody in particular; undefined if it is in the trash. */
    findShown: (id: number) => db.maybeOne(findShown(id)),
    /** Also finds projects in the trash. */
    find: (id: number) => db.maybeOne(find(id)),
    /** Also locks projects in the trash. */
    lock: (id: number) => db.maybeOne(lock(id)),
    /** `restartsPlan`: the even pace to the target on the due date starts now. */
    update: (id: number, fields: EditableFields, restartsPlan: boolean) => db.execute(update(id, fields, restartsPlan)),
    /** For records that are written later, and for pauses of streaks. */
    addStatusChange: (project_id: number, from_status: string, to_status: string) =>
      db.table('project_status_changes', 'insert_status_change').insert({ project_id, from_status, to_status }),
    /** Unassigns `assigned`, who are all assigned users, and stores them for a restore. Returns the time of deletion. */
    trash: async (id: number, assigned: readonly number[]) => (await db.one(trash(id, assigned))).deleted_at,
    restore: (id: number) => db.execute(restore(id)),
  };
}
