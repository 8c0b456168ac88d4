import type { Actor } from '../../src/actor.ts';
import type { BatchAssignInput } from '../../src/features/study/assignments/assignment-schemas.ts';
import { createAssignmentService } from '../../src/features/study/assignments/assignment-service.ts';
import { createProjectBody } from '../../src/features/study/projects/project-schemas.ts';
import { createFairQueue } from '../../src/lib/fair-queue.ts';
import type { TestApp, TestUser } from './test-app.ts';

export type ProjectStatus = 'active' | 'paused' | 'completed';

/** The user as an actor. Without an audit context, rights are not verified at the commit. */
export const actorOf = (user: Pick<TestUser, 'id' | 'username' | 'role'>): Actor => ({
  ...user,
  timezone: 'UTC',
  sign_in_id: '',
  must_change_password: false,
  totp_enabled: false,
});

/** Creates a project without a request; one that is not active has no earlier status. */
export async function createProject(
  app: TestApp,
  owner: Parameters<typeof actorOf>[0],
  name = 'Algebra',
  status: ProjectStatus = 'active',
  fields: object = {},
): Promise<number> {
  const { services } = app.container;
  const input = createProjectBody.parse({ name, ...fields });
  const { id } = await services.projects.create(actorOf(owner), input);
  if (status !== 'active') {
    await services.projects.update(actorOf(owner), id, { status }, undefined);
    await app.query('DELETE FROM project_status_changes WHERE project_id = $1', [id]);
  }
  return id;
}

/** Changes the status at any time, without a request. */
export async function changeStatus(app: TestApp, projectId: number, to: string, at: string): Promise<void> {
  await app.query(
    `WITH change AS (
       INSERT INTO project_status_changes (project_id, from_status, to_status, changed_at)
       SELECT id, status, $2, $3 FROM projects WHERE id = $1 AND status <> $2)
     UPDATE projects SET status = $2 WHERE id = $1`,
    [projectId, to, at],
  );
}

export const assign = (app: TestApp, projectId: number, ...users: TestUser[]) =>
  changeAssignments(app, projectId, users, 'add');

export const unassign = (app: TestApp, projectId: number, ...users: TestUser[]) =>
  changeAssignments(app, projectId, users, 'remove');

const queue = createFairQueue({ slots: 2, perCaller: 2, waitingPerCaller: 100, waitSeconds: 10 });

async function changeAssignments(
  app: TestApp,
  projectId: number,
  users: readonly TestUser[],
  assign_type: BatchAssignInput['assign_type'],
): Promise<void> {
  const { store, services } = app.container;
  const service = createAssignmentService({ store, endTimers: services.timer.end, queue });
  const input = { project_ids: [projectId], user_ids: users.map(({ id }) => id), assign_type };
  const { failures } = await service.batchAssign(actorOf({ id: 0, username: '', role: 'admin' }), input, 'en');
  if (failures.length > 0) throw new Error(failures.map(({ message }) => message).join('; '));
}

type Session = { project_id: number; user_id: number; started_at: string; ended_at?: string | null };

/** Inserts a study session without checking membership or dates; one without an end is a running timer. */
export async function addSession(app: TestApp, session: Session): Promise<number> {
  const { project_id, user_id, started_at, ended_at = null } = session;
  const [row] = await app.query<{ id: number }>(
    `INSERT INTO study_sessions (project_id, owner_id, user_id, started_at, ended_at, source, time_zone)
     VALUES ($1, (SELECT user_id FROM projects WHERE id = $1), $2, $3, $4, $5, 'UTC') RETURNING id`,
    [project_id, user_id, started_at, ended_at, ended_at === null ? 'timer' : 'manual'],
  );
  if (row === undefined) throw new Error('no session was created');
  return row.id;
}

export async function figures(app: TestApp, projectId: number) {
  const [row] = await app.query<{ current_seconds: number; current_hours: number; sessions_count: number }>(
    'SELECT current_seconds, current_hours, sessions_count FROM projects WHERE id = $1',
    [projectId],
  );
  if (row === undefined) throw new Error('there is no such project');
  return row;
}

/** The figures computed from the records. */
export async function trueFigures(app: TestApp, projectId: number) {
  const [row] = await app.query<{ current_seconds: number; current_hours: number; sessions_count: number }>(
    `SELECT coalesce(sum(duration_seconds), 0) AS current_seconds,
       round(coalesce(sum(duration_seconds), 0) / 3600.0, 2) AS current_hours, count(*) AS sessions_count
     FROM study_sessions WHERE project_id = $1 AND ended_at IS NOT NULL`,
    [projectId],
  );
  return row;
}

/** Inserts many records of one user without triggers, ten minutes apart since 2020. */
export async function addRecords(app: TestApp, projectId: number, user: TestUser, number: number) {
  await app.query('ALTER TABLE study_sessions DISABLE TRIGGER USER');
  for (let done = 0; done < number; done += 10_000) {
    await app.query(
      `INSERT INTO study_sessions (project_id, owner_id, user_id, started_at, ended_at, note, source, time_zone)
       SELECT p.id, p.user_id, $2, moment, moment + interval '9 minutes', repeat('note ', 20), 'manual', 'Asia/Shanghai'
       FROM projects p, generate_series($3, $4 - 1) AS number,
         LATERAL (SELECT '2020-01-01'::timestamptz + number * interval '10 minutes') AS at (moment)
       WHERE p.id = $1`,
      [projectId, user.id, done, Math.min(number, done + 10_000)],
    );
  }
  await app.query('ALTER TABLE study_sessions ENABLE TRIGGER USER');
  await app.query('VACUUM ANALYZE study_sessions');
}
