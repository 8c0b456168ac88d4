import { afterAll, beforeAll, beforeEach } from 'vitest';
import { achievementNames } from '../../../src/features/achievements/achievement-catalogue.ts';
import { createProject } from '../../support/records.ts';
import { startTestApp, type TestApp, type TestUser } from '../../support/test-app.ts';

export type NewRecord = { user: TestUser; on: number; start: string; minutes?: number; zone?: string };

/** Records written by one statement, by default of half an hour. Gives their ids. */
export async function writeRecords(app: TestApp, records: readonly NewRecord[]): Promise<number[]> {
  const rows = await app.database.knex('study_sessions').insert(
    records.map(({ user, on, start, minutes = 30, zone = 'UTC' }) => ({
      project_id: on,
      user_id: user.id,
      started_at: start,
      ended_at: new Date(Date.parse(start) + minutes * 60_000).toISOString(),
      source: 'manual',
      time_zone: zone,
    })),
    ['id'],
  );
  return rows.map((row: { id: number }) => row.id);
}

/** What a project or user has earned, by name, in the order of the catalogue. */
export async function earned(app: TestApp, by: 'project' | 'user', id: number): Promise<string[]> {
  const rows = await app.query<{ achievement_id: number }>(
    `SELECT achievement_id FROM ${by}_achievements WHERE ${by}_id = $1 ORDER BY achievement_id`,
    [id],
  );
  return rows.map((row) => achievementNames[row.achievement_id - 1] ?? '?');
}

type Made = { app: TestApp; ann: TestUser; bob: TestUser; project: number };

/** For each test two users and a project of Ann's, handed to `take`; records are hers on it unless they say otherwise. */
export function setUpEarnings(take: (made: Made) => void) {
  let app: TestApp;
  let made: Made;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    const ann = await app.createUser();
    made = { app, ann, bob: await app.createUser(), project: await createProject(app, ann) };
    take(made);
  });
  return {
    write: (...records: Partial<NewRecord>[]) =>
      writeRecords(
        app,
        records.map((record) => ({ user: made.ann, on: made.project, start: '2026-02-02T12:00:00Z', ...record })),
      ),
    ofProject: (id = made.project) => earned(app, 'project', id),
    ofUser: (user = made.ann) => earned(app, 'user', user.id),
  };
}
