import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { SessionFacts } from '../../../../src/events.ts';
import * as backgroundJobs from '../../../../src/features/operations/background-work/background-job-repository.ts';
import { achievementNames } from '../../../../src/features/study/achievements/achievement-catalogue.ts';
import { recordChanged, recordCreated } from '../../../../src/features/study/study-sessions/session-recording.ts';
import * as sessionRepository from '../../../../src/features/study/study-sessions/session-repository.ts';
import { createProject } from '../../../support/records.ts';
import { startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

export type NewRecord = { user: TestUser; on: number; start: string; minutes?: number; zone?: string };

/** Records sessions in one transaction, by default of half an hour, without the rules for requests; returns their ids. */
export function writeRecords(app: TestApp, records: readonly NewRecord[]): Promise<number[]> {
  const rows = records.map(({ user, on, start, minutes = 30, zone = 'UTC' }) => ({
    project_id: on,
    user_id: user.id,
    started_at: start,
    ended_at: new Date(Date.parse(start) + minutes * 60_000).toISOString(),
    source: 'manual',
    time_zone: zone,
  }));
  return app.container.store.asService(async (tx) => {
    const { knex } = tx;
    const projects: { id: number; user_id: number }[] = await knex<object>('projects')
      .whereIn('id', [...new Set(rows.map((row) => row.project_id))])
      .orderBy('id')
      .forNoKeyUpdate()
      .select('id', 'user_id');
    const owners = new Map(projects.map(({ id, user_id }) => [id, user_id]));
    const withOwner = rows.map((row) => ({ ...row, owner_id: owners.get(row.project_id) }));
    const sessions: SessionFacts[] = await knex<object>('study_sessions').insert(withOwner, ['*']);
    await recordCreated(
      tx,
      sessions.map((session) => ({ session })),
    );
    return sessions.map(({ id }) => id);
  });
}

/** Changes the times of a record without the rules for requests. */
export function changeRecord(app: TestApp, id: number, times: { started_at?: string; ended_at?: string }) {
  return app.container.store.asService(async (tx) => {
    const found = await sessionRepository.lock(tx, id);
    if (found === undefined) throw new Error('there is no such record');
    const [after] = await tx.knex<object>('study_sessions').where({ id }).update(times, ['*']);
    await recordChanged(tx, [{ before: found.session, after }]);
  });
}

/** Awards what imports and changed calendars have earned. */
export const awardAll = async (app: TestApp) =>
  app.container.jobs.find(({ name }) => name === 'award achievements')?.run();

/** Removes all awards of a user and a project, and lets the job award them again. */
export async function awardAgain(app: TestApp, user: TestUser, project: number): Promise<void> {
  await app.query('DELETE FROM user_achievements WHERE user_id = $1', [user.id]);
  await app.query('DELETE FROM project_achievements WHERE project_id = $1', [project]);
  const payload = { user_id: user.id, project_ids: [project] };
  await backgroundJobs.insertAll(app.container.store, { kind: 'achievements', created_at: new Date() }, [payload]);
  await awardAll(app);
}

/** The names of the achievements of a project or user, in catalogue order. */
export async function earned(app: TestApp, by: 'project' | 'user', id: number): Promise<string[]> {
  const rows = await app.query<{ achievement_id: number }>(
    `SELECT achievement_id FROM ${by}_achievements WHERE ${by}_id = $1 ORDER BY achievement_id`,
    [id],
  );
  return rows.map((row) => achievementNames[row.achievement_id - 1] ?? '?');
}

/** When they were earned, by name. */
export async function datesOf(app: TestApp, by: 'project' | 'user', id: number): Promise<Record<string, string>> {
  const rows = await app.query<{ achievement_id: number; earned_at: string }>(
    `SELECT achievement_id, earned_at FROM ${by}_achievements WHERE ${by}_id = $1 ORDER BY achievement_id`,
    [id],
  );
  return Object.fromEntries(rows.map((row) => [achievementNames[row.achievement_id - 1] ?? '?', row.earned_at]));
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
