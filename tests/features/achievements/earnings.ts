import { afterAll, beforeAll, beforeEach } from 'vitest';
import { achievementNames } from '../../../src/features/achievements/achievement-catalogue.ts';
import { createProject } from '../../support/records.ts';
import { startTestApp, type TestApp, type TestUser } from '../../support/test-app.ts';

export type NewRecord = { user: TestUser; on: number; start: string; minutes?: number; zone?: string };

/** Inserts records with one statement, by default of half an hour, and returns their ids. */
export async function writeRecords(app: TestApp, records: readonly NewRecord[]): Promise<number[]> {
  const rows = await app.database.knex<object>('study_sessions').insert(
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

/** Awards what imports and changed calendars have earned. */
export const awardAll = async (app: TestApp) =>
  app.container.jobs.find(({ name }) => name === 'award achievements')?.run();

/** The names of the achievements of a project or user, in catalogue order. */
export async function earned(app: TestApp, by: 'project' | 'user', id: number): Promise<string[]> {
  const rows = await app.query<{ achievement_id: number }>(
    `SELECT achievement_id FROM ${by}_achievements WHERE ${by}_id = $1 ORDER BY achievement_id`,
    [id],
  );
  return rows.map((row) => achievementNames[row.achievement_id - 1] ?? '?');
}

type Fixtures = { app: TestApp; ann: TestUser; bob: TestUser; project: number };

/** Before each test, passes two users and a project of Ann to `take`. By default records are Ann's on this project. */
export function setUpEarnings(take: (fixtures: Fixtures) => void) {
  let app: TestApp;
  let fixtures: Fixtures;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    const ann = await app.createUser();
    fixtures = { app, ann, bob: await app.createUser(), project: await createProject(app, ann) };
    take(fixtures);
  });
  return {
    write: (...records: Partial<NewRecord>[]) =>
      writeRecords(
        app,
        records.map((record) => ({
          user: fixtures.ann,
          on: fixtures.project,
          start: '2026-02-02T12:00:00Z',
          ...record,
        })),
      ),
    ofProject: (id = fixtures.project) => earned(app, 'project', id),
    ofUser: (user = fixtures.ann) => earned(app, 'user', user.id),
  };
}
