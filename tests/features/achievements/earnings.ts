import { achievementNames } from '../../../src/features/achievements/achievement-catalogue.ts';
import type { TestApp, TestUser } from '../../support/test-app.ts';

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
