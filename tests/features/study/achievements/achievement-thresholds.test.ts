import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  achievementNames,
  requiredAmounts,
} from '../../../../src/features/study/achievements/achievement-catalogue.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

/** The kind and threshold according to the name of an achievement. */
function requirementOf(name: string): { kind: string; threshold: number } {
  const [, unit, amount] = /^(hours|streak)_(\d+)$/.exec(name) ?? [];
  if (unit === 'hours') return { kind: 'study_time', threshold: Number(amount) * 3600 };
  if (unit === 'streak') return { kind: 'streak', threshold: Number(amount) };
  if (name === 'first_record') return { kind: 'study_time', threshold: 1 };
  return name === 'target_reached' ? { kind: 'target', threshold: 100 } : { kind: name, threshold: 1 };
}

test('the achievements have the thresholds that their names say', () => {
  const required = achievementNames.map((name, index) => ({ id: index + 1, ...requirementOf(name) }));
  expect(requiredAmounts).toEqual(required.map(({ threshold, ...more }) => ({ ...more, amount: threshold })));
});

test('the constraint allows exactly the ids of the catalogue', async () => {
  const [check] = await db.sql.query<{ definition: string }>(
    `SELECT pg_get_constraintdef(oid) AS definition FROM pg_constraint WHERE conname = 'user_achievements_known'`,
  );
  expect(check?.definition).toContain(`achievement_id <= ${achievementNames.length}`);
});
