import type { TestApp, TestUser } from './test-app.ts';

type Status = 'active' | 'paused' | 'completed';

/** A project, without the cost of a request. */
export async function createProject(app: TestApp, owner: TestUser, name = 'Algebra', status: Status = 'active') {
  const [project] = await app.query<{ id: number }>(
    'INSERT INTO projects (user_id, name, status) VALUES ($1, $2, $3) RETURNING id',
    [owner.id, name, status],
  );
  if (project === undefined) throw new Error('no project was made');
  return project.id;
}

export async function assign(app: TestApp, projectId: number, user: TestUser) {
  await app.query(
    `INSERT INTO project_assignments (project_id, user_id, position, owner_id, project_created_at)
     SELECT p.id, $2::bigint, 1, p.user_id, p.created_at FROM projects p WHERE p.id = $1`,
    [projectId, user.id],
  );
}

export async function unassign(app: TestApp, projectId: number, user: TestUser) {
  await app.query('DELETE FROM project_assignments WHERE project_id = $1 AND user_id = $2', [projectId, user.id]);
}

export async function figures(app: TestApp, projectId: number) {
  const [row] = await app.query<{ current_seconds: number; current_hours: number; sessions_count: number }>(
    'SELECT current_seconds, current_hours, sessions_count FROM projects WHERE id = $1',
    [projectId],
  );
  if (row === undefined) throw new Error('there is no such project');
  return row;
}

/** What the kept figures must be. */
export async function trueFigures(app: TestApp, projectId: number) {
  const [row] = await app.query<{ current_seconds: number; current_hours: number; sessions_count: number }>(
    `SELECT coalesce(sum(duration_seconds), 0) AS current_seconds,
       round(coalesce(sum(duration_seconds), 0) / 3600.0, 2) AS current_hours, count(*) AS sessions_count
     FROM study_sessions WHERE project_id = $1 AND ended_at IS NOT NULL`,
    [projectId],
  );
  return row;
}

/** Many records of one user, ten minutes apart since 2020, behind the back of every trigger. */
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
