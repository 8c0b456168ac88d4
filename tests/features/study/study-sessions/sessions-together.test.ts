import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CreatedSession, recordCreated } from '../../../../src/features/study/study-sessions/session-recording.ts';
import { countStatements } from '../../../support/counted-statements.ts';
import { addSession, createProject } from '../../../support/records.ts';
import { startTestApp, type TestApp } from '../../../support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

/** The statements that follow from records which reach the targets of so many projects. */
async function statementsFor(projects: number): Promise<number> {
  const user = await app.createUser();
  const created: CreatedSession[] = [];
  for (let n = 0; n < projects; n += 1) {
    const project_id = await createProject(app, user, `Project ${n}`);
    await app.as(user).put(`/api/projects/${project_id}`, { target_hours: 1 }).expect(200);
    const day = `2026-02-0${n + 1}`;
    const [started_at, ended_at] = [`${day}T08:00:00.000Z`, `${day}T10:00:00.000Z`];
    const id = await addSession(app, { project_id, user_id: user.id, started_at, ended_at });
    const session: CreatedSession['session'] = {
      ...{ id, project_id, user_id: user.id, owner_id: user.id, started_at, ended_at, duration_seconds: 7200 },
      ...{ note: '', tags: [], source: 'manual' as const, time_zone: 'UTC', auto_stopped: false, created_at: ended_at },
      updated_at: ended_at,
    };
    created.push({ session });
  }
  return app.container.store.asService(async (tx) => {
    const { counted, statements } = countStatements(tx);
    await recordCreated(counted, created);
    return statements();
  });
}

test('targets of several projects, reached together, take as many statements as one', async () => {
  expect(await statementsFor(4)).toBe(await statementsFor(1));
});
