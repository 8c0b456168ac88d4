import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProject } from '../../../support/records.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

const clock = createTestClock(new Date('2026-11-20T12:00:00.000Z'));
const zone = 'America/New_York';
let first: TestApp;
let second: TestApp;
let owner: TestUser;

type Listed = Record<'project_name' | 'started_at' | 'ended_at' | 'note' | 'source' | 'time_zone', string> & {
  auto_stopped: boolean;
};
/** What the files of an export say about a record. */
const facts = ({ project_name, started_at, ended_at, note, source, time_zone, auto_stopped }: Listed) => ({
  ...{ project_name, started_at, ended_at, note, source, time_zone, auto_stopped },
});
const recordsOf = async (app: TestApp, user: TestUser) =>
  ((await app.as(user).get('/api/sessions?order=asc&limit=100').expect(200)).body.data.sessions as Listed[]).map(facts);

const notes = [
  '',
  '=1+1',
  "'=1+1",
  '“quoted”, "quoted"',
  'two\nlines',
  '第一章；ＡＢＣ',
  '☕ café',
  '-',
  '1,5',
  '\\n',
  '"',
];

beforeAll(async () => {
  first = await startTestApp({ clock, settings: { RATE_LIMIT_PER_MINUTE: '0' } });
  second = await startTestApp({ clock, settings: { RATE_LIMIT_PER_MINUTE: '0' } });
  // Accounts have other ids in the other installation.
  await second.createUser();
  owner = await first.createUser({ timezone: zone });
  const projects = [await createProject(first, owner, 'Algebra'), await createProject(first, owner, '=数学, "II"')];
  for (const [index, note] of notes.entries()) {
    // The clocks of New York go back on 1 November 2026 at 06:00 UTC.
    const started_at = new Date(Date.UTC(2026, 10, 1, 5, 30 + (index === 0 ? 0 : 90) + index * 40)).toISOString();
    const body = { started_at, duration_seconds: 2_400 - index, note };
    await first
      .as(owner)
      .post(`/api/projects/${projects[index % 2]}/sessions`, body)
      .expect(201);
  }
  await first.query(`UPDATE study_sessions SET auto_stopped = true, source = 'timer' WHERE note = '-'`);
});
afterAll(() => Promise.all([first.stop(), second.stop()]));

async function transfer(query: string, fields: Record<string, string> = {}) {
  const file = await first.as(owner).get(`/api/sessions/export?${query}`).buffer(true).expect(200);
  const user = await second.createUser({ timezone: zone });
  const send = () => {
    const request = second.as(user).post('/api/sessions/import').field('dry_run', 'false');
    for (const [name, value] of Object.entries({ create_projects: 'true', from_other_account: 'true', ...fields }))
      request.field(name, value);
    return request.attach('file', Buffer.from(file.text), 'records').expect(200);
  };
  const { body } = await send();
  expect(body.data).toMatchObject({ rows: notes.length, imported: notes.length, created_projects: 2, errors: [] });
  expect((await send()).body.data).toMatchObject({ imported: 0, duplicates: notes.length });
  return recordsOf(second, user);
}

test.each(['format=csv', 'format=json', 'format=json&order=asc'])('%s: equal records', async (query) => {
  expect(await transfer(query)).toEqual(await recordsOf(first, owner));
});

test.each(['comma', 'semicolon', 'tab'])(
  'a spreadsheet, separated by %s: equal times, notes and projects',
  async (separator) => {
    const expected = (await recordsOf(first, owner)).map((record) => ({
      ...record,
      source: 'manual',
      auto_stopped: false,
    }));
    expect(await transfer(`layout=spreadsheet&separator=${separator}`)).toEqual(expected);
  },
);
