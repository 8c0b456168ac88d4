import { addSession, changeStatus, createProject, type ProjectStatus } from '../../../support/records.ts';
import { createTestClock, startTestApp, type TestUser } from '../../../support/test-app.ts';

export type People = { admin: TestUser; ann: TestUser; bob: TestUser };
type ProjectFields = { target?: number; status?: ProjectStatus; name?: string };

/** An app with a test clock, and helpers for users, projects and records. */
export async function startStudyWorld() {
  const clock = createTestClock();
  const app = await startTestApp({ clock });

  const world = {
    app,

    /** Sets the current time and returns users whose tokens are valid then. */
    async at(moment: string): Promise<People> {
      clock.set(moment);
      return {
        admin: await app.createUser({ role: 'admin' }),
        ann: await app.createUser(),
        bob: await app.createUser(),
      };
    },

    createProject: (owner: TestUser, { target = 0, status = 'active', name = 'Algebra' }: ProjectFields = {}) =>
      createProject(app, owner, name, status, { target_hours: target }),

    async record(project_id: number, { id: user_id }: TestUser, start: string, minutes: number): Promise<void> {
      const ended_at = new Date(Date.parse(start) + minutes * 60_000).toISOString();
      await addSession(app, { project_id, user_id, started_at: start, ended_at });
    },

    /** Records one hour at noon UTC on each day. */
    async studyOn(projectId: number, user: TestUser, days: readonly string[]): Promise<void> {
      for (const day of days) await world.record(projectId, user, `${day}T12:00:00Z`, 60);
    },

    startTimer: (project_id: number, { id: user_id }: TestUser, started_at: string) =>
      addSession(app, { project_id, user_id, started_at }),

    changeStatus: (projectId: number, to: string, at: string) => changeStatus(app, projectId, to, at),

    async statsOf(projectId: number, user: TestUser, query = '') {
      return (await app.as(user).get(`/api/projects/${projectId}/stats${query}`).expect(200)).body.data;
    },
  };
  return world;
}

export type StudyWorld = Awaited<ReturnType<typeof startStudyWorld>>;
