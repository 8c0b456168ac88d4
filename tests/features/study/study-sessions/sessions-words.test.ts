import { afterAll, beforeAll, expect, test } from 'vitest';
import { maxCounted } from '../../../../src/features/study/study-sessions/session-schemas.ts';
import { createProject } from '../../../support/records.ts';
import { startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

let app: TestApp;
let admin: TestUser;
let student: TestUser;

// One a minute: first those with old words, then many without a note, last those with recent words.
const insert = `
  INSERT INTO study_sessions (project_id, owner_id, user_id, started_at, ended_at, note, source, time_zone)
  SELECT $1, $2, $2, at, at + interval '1 minute',
    CASE WHEN n <= 10002 THEN 'ancient' || CASE WHEN n <= 10000 THEN ' exactly' ELSE '' END
      WHEN n > 32000 THEN 'recent' ELSE '' END, 'manual', 'UTC'
  FROM (SELECT n, '2026-01-01Z'::timestamptz + n * interval '1 minute' AS at FROM generate_series(1, 42050) AS n) AS numbers`;

beforeAll(async () => {
  app = await startTestApp();
  admin = await app.createUser({ role: 'admin' });
  student = await app.createUser();
  await app.query('ALTER TABLE study_sessions DROP CONSTRAINT study_sessions_no_overlap');
  await app.query(insert, [await createProject(app, student), student.id]);
});
afterAll(() => app.stop());

async function find(query: string, reader = admin) {
  const { body } = await app.as(reader).get(`/api/sessions?${query}`).expect(200);
  const minutes = (body.data.sessions as { started_at: string }[]).map(
    ({ started_at }) => (Date.parse(started_at) - Date.UTC(2026, 0, 1)) / 60_000,
  );
  return { minutes, total: body.data.pagination.total, is_minimum: body.data.total_is_minimum };
}

const down = (from: number, length: number) => Array.from({ length }, (_, index) => from - index);
const many = { total: maxCounted, is_minimum: true };
const exactly = (total: number) => ({ total, is_minimum: undefined });

test.each([
  ['a recent word', 'search=recent', down(42_050, 10), many],
  ['a recent word, oldest first', 'search=recent&order=asc&limit=2', [32_001, 32_002], many],
  ['a recent word, after what is counted', 'search=recent&limit=100&page=101', down(32_050, 50), many],
  ['a recent word, after the last page', 'search=recent&limit=100&page=102', [], many],
  ['an old word', 'search=ancient&limit=3', down(10_002, 3), many],
  ['an old word, oldest first', 'search=ancient&limit=3&order=asc', [1, 2, 3], many],
  ['an old word in its time', 'search=ancient&limit=3&to=2026-01-02T00:00:00Z', down(1439, 3), exactly(1439)],
  ['as many as are counted', 'search=exactly&limit=3', down(10_000, 3), exactly(maxCounted)],
  ['a rare word', 'search=nowhere', [], exactly(0)],
  ['no word', 'limit=1', [42_050], exactly(42_050)],
])('the records of everybody with %s', async (_, query, minutes, totals) => {
  expect(await find(query)).toEqual({ minutes, ...totals });
});

test('the records of one student with a word are all counted', async () => {
  const all = exactly(10_050);
  expect(await find('search=recent&limit=2', student)).toEqual({ minutes: [42_050, 42_049], ...all });
  expect(await find(`search=recent&limit=2&user_id=${student.id}`)).toEqual({ minutes: [42_050, 42_049], ...all });
});
