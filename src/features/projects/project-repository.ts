import { type Executor, sql, type Value } from '../../db/database.ts';
import type { Actor } from '../auth/identity.ts';
import { closeJson, isoFormat, joinAssigned, projectJson } from './project-json.ts';
import type { projectStatuses } from './project-schemas.ts';

/** A project's row as far as rules need it. */
export type ProjectRow = {
  id: number;
  user_id: number;
  name: string;
  description: string;
  status: (typeof projectStatuses)[number];
  category: string;
  target_hours: number;
  rating_standard: string;
  image: string | null;
  row_version: number;
  deleted_at: string | null;
  former_user_ids: number[] | null;
};

export type ProjectFields = Pick<ProjectRow, 'name' | 'description' | 'category' | 'target_hours' | 'rating_standard'>;
export type ProjectPatch = Partial<ProjectFields & Pick<ProjectRow, 'status'>>;

/** One project as JSON text with what is needed to decide who may have it. */
export type ProjectReading = {
  json: string;
  row_version: number;
  visible: boolean;
  achievements: { id: number; earned_at: string }[];
};

const columns = `p.id, p.user_id, p.name, p.description, p.status, p.category, p.target_hours, p.rating_standard, p.image,
  p.row_version, p.deleted_at, p.former_user_ids`;

const readDetail = sql(`
  SELECT p.row_version,
    $3::boolean OR p.user_id = $2 OR assigned.ids IS NOT NULL AS visible,
    coalesce(
      (SELECT json_agg(json_build_object('id', e.achievement_id, 'earned_at', to_char(e.earned_at, '${isoFormat}'))
         ORDER BY e.earned_at, e.achievement_id)
       FROM project_achievements e WHERE e.project_id = p.id), '[]') AS achievements,
    concat(${projectJson}, ',"sessions_count":', p.sessions_count, ',"last_session":', coalesce(
      (SELECT to_json(to_char(s.ended_at, '${isoFormat}'))::text FROM study_sessions s
       WHERE s.project_id = p.id AND s.ended_at IS NOT NULL ORDER BY s.ended_at DESC LIMIT 1), 'null')) AS json
  FROM projects p ${joinAssigned('$2::bigint', '$3::boolean')}
  WHERE p.id = $1 AND p.deleted_at IS NULL`);

const readProject = sql(`
  SELECT p.row_version, concat(${projectJson}, ${closeJson}) AS json
  FROM projects p ${joinAssigned('$2::bigint', '$3::boolean')}
  WHERE p.id = $1`);

// One statement: the actor's rights, the project, the owner's list version, and the response.
const insertOwn = sql(`
  WITH created AS (
    INSERT INTO projects (user_id, name, description, category, target_hours, rating_standard)
    SELECT $1, $2, $3, $4, $5, $6 FROM verify_actor($1, $7, $8, '{}', NULL) RETURNING *),
  raised AS (UPDATE user_list_versions SET version = version + 1 WHERE user_id = $1)
  SELECT p.id, p.row_version, concat(${projectJson}, ${closeJson}) AS json
  FROM created p CROSS JOIN (SELECT NULL::text AS ids) AS assigned`);

const insertProject = sql(`
  INSERT INTO projects (user_id, name, description, category, target_hours, rating_standard)
  VALUES ($1, $2, $3, $4, $5, $6) RETURNING id`);

const lockProject = sql(`SELECT ${columns} FROM projects p WHERE p.id = $1 FOR NO KEY UPDATE`);
const findProject = sql(`SELECT ${columns} FROM projects p WHERE p.id = $1`);
const trashProject = sql('UPDATE projects SET deleted_at = now() WHERE id = $1');
const restoreProject = sql('UPDATE projects SET deleted_at = NULL, former_user_ids = NULL WHERE id = $1');

const listAssignable = sql(`
  SELECT u.id, u.id AS user_id, u.username, u.display_name, u.email, u.status FROM users u
  WHERE u.role = 'user' AND u.status = 'active'
    AND ($1::text IS NULL OR u.username ILIKE $1 OR u.display_name ILIKE $1 OR u.email ILIKE $1)
  ORDER BY lower(u.username)`);

export type AssignableUser = {
  id: number;
  user_id: number;
  username: string;
  display_name: string;
  email: string;
  status: 'active';
};

export function createProjectRepository(db: Executor) {
  const fieldValues = (userId: number, fields: ProjectFields): Value[] => [
    userId,
    fields.name,
    fields.description,
    fields.category,
    fields.target_hours,
    fields.rating_standard,
  ];

  return {
    async findDetail(actor: Actor, id: number): Promise<ProjectReading | undefined> {
      const [row] = await db.rows<ProjectReading>(readDetail, [id, actor.id, actor.role === 'admin']);
      return row;
    },
    async readJson(actor: Actor, id: number): Promise<{ json: string; row_version: number }> {
      const [row] = await db.rows<{ json: string; row_version: number }>(readProject, [
        id,
        actor.id,
        actor.role === 'admin',
      ]);
      if (row === undefined) throw new Error(`project ${id} vanished while it was locked`);
      return row;
    },
    async insertOwn(actor: Actor, fields: ProjectFields): Promise<{ id: number; json: string }> {
      const values = [...fieldValues(actor.id, fields), actor.sign_in_id, actor.role];
      const [row] = await db.rows<{ id: number; json: string }>(insertOwn, values);
      if (row === undefined) throw new Error('an insert returns its row');
      return row;
    },
    async insert(userId: number, fields: ProjectFields): Promise<number> {
      const [row] = await db.rows<{ id: number }>(insertProject, fieldValues(userId, fields));
      if (row === undefined) throw new Error('an insert returns its row');
      return row.id;
    },
    /** The row, also when it is in the trash. */
    async find(id: number): Promise<ProjectRow | undefined> {
      const [row] = await db.rows<ProjectRow>(findProject, [id]);
      return row;
    },
    /** The row, locked until the transaction ends; also when it is in the trash. */
    async lock(id: number): Promise<ProjectRow | undefined> {
      const [row] = await db.rows<ProjectRow>(lockProject, [id]);
      return row;
    },
    async update(id: number, patch: ProjectPatch): Promise<void> {
      await db.knex('projects').where({ id }).update(patch);
    },
    async trash(id: number): Promise<void> {
      await db.rows(trashProject, [id]);
    },
    async restore(id: number): Promise<void> {
      await db.rows(restoreProject, [id]);
    },
    listAssignable: (pattern: string | null) => db.rows<AssignableUser>(listAssignable, [pattern]),
  };
}
