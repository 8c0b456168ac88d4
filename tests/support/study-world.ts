import { createTestClock, startTestApp, type TestUser } from './test-app.ts';

export type People = { admin: TestUser; ann: TestUser; bob: TestUser };
type ProjectFields = { target?: number; status?: string; name?: string };

/** An app whose clock is set by the test, with people, projects and finished records in it. */
export async function startStudyWorld() {
  const clock = createTestClock();
  const app = await startTestApp({ clock });

  const world = {
    app,

    /** Sets the present moment; gives people whose tokens hold then. */
    async at(moment: string): Promise<People> {
      clock.set(moment);
      return {
        admin: await app.createUser({ role: 'admin' }),
        ann: await app.createUser(),
        bob: await app.createUser(),
      };
    },

    async createProject(owner: TestUser, { target = 0, status = 'active', name = 'Algebra' }: ProjectFields = {}) {
      const [row] = await app.query<{ id: number }>(
        'INSERT INTO projects (user_id, name, target_hours, status) VALUES ($1, $2, $3, $4) RETURNING id',
        [owner.id, name, target, status],
      );
      if (row === undefined) throw new Error('no project was made');
      return row.id;
    },

    /** A record of so many minutes. */
    async record(projectId: number, user: TestUser, start: string, minutes: number): Promise<void> {
      await app.query(
        `INSERT INTO study_sessions (project_id, user_id, started_at, ended_at, source, time_zone)
         VALUES ($1, $2, $3::timestamptz, $3::timestamptz + make_interval(secs => $4 * 60), 'manual', 'UTC')`,
        [projectId, user.id, start, minutes],
      );
    },

    /** An hour at noon of each day, in UTC. */
    async studyOn(projectId: number, user: TestUser, days: readonly string[]): Promise<void> {
      for (const day of days) await world.record(projectId, user, `${day}T12:00:00Z`, 60);
    },

    async startTimer(projectId: number, user: TestUser, start: string): Promise<void> {
      await app.query(
        `INSERT INTO study_sessions (project_id, user_id, started_at, source, time_zone) VALUES ($1, $2, $3, 'timer', 'UTC')`,
        [projectId, user.id, start],
      );
    },

    async changeStatus(projectId: number, to: string, moment: string): Promise<void> {
      await app.query('UPDATE projects SET status = $2 WHERE id = $1', [projectId, to]);
      await app.query(
        'UPDATE project_status_changes SET changed_at = $2 WHERE id = (SELECT max(id) FROM project_status_changes WHERE project_id = $1)',
        [projectId, moment],
      );
    },

    async statsOf(projectId: number, user: TestUser, query = '') {
      return (await app.as(user).get(`/api/projects/${projectId}/stats${query}`).expect(200)).body.data;
    },
  };
  return world;
}

export type StudyWorld = Awaited<ReturnType<typeof startStudyWorld>>;
