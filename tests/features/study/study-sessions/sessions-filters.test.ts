import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assign, createProject } from '../../../support/records.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

let app: TestApp;
let owner: TestUser;
let member: TestUser;
let outsider: TestUser;
let admin: TestUser;
let shared: number;
let own: number;

const notes = {
  rings: 'Rings and fields',
  chinese: '量子纠缠,第 3 章',
  percent: '50% done_here',
  lines: 'Über\nPrüfung',
};
type Note = keyof typeof notes | '';

beforeAll(async () => {
  app = await startTestApp({ clock: createTestClock(new Date('2026-11-20T12:00:00.000Z')) });
  [owner, member, outsider] = [await app.createUser(), await app.createUser(), await app.createUser()];
  admin = await app.createUser({ role: 'admin' });
  shared = await createProject(app, owner, 'Shared');
  own = await createProject(app, member, 'Own');
  await assign(app, shared, member);
  const record = (user: TestUser, project: number, day: number, note: string) =>
    app
      .as(user)
      .post(`/api/projects/${project}/sessions`, {
        started_at: `2026-01-0${day}T08:00:00Z`,
        duration_seconds: 60,
        note,
      })
      .expect(201);
  await record(owner, shared, 1, notes.rings);
  await record(member, shared, 2, notes.chinese);
  await record(member, own, 3, notes.percent);
  await record(member, shared, 4, notes.lines);
  await record(member, shared, 5, '');
  await app.as(member).post('/api/timer/start', { project_id: shared, note: notes.rings }).expect(201);
});
afterAll(() => app.stop());

/** The notes of the records that a reader finds, oldest first. */
async function find(user: TestUser, query: Record<string, string>, path = '/api/sessions') {
  const parameters = new URLSearchParams({ order: 'asc', limit: '50', ...query });
  const { sessions, pagination } = (await app.as(user).get(`${path}?${parameters}`).expect(200)).body.data;
  expect(pagination.total).toBe(sessions.length);
  return sessions.map((session: { note: string }) => session.note);
}
const expected = (...keys: Note[]) => keys.map((key) => (key === '' ? '' : notes[key]));

describe('search in notes', () => {
  test.each<[string, Note[]]>([
    ['rings', ['rings', 'rings']],
    ['RINGS AND', ['rings', 'rings']],
    ['纠缠', ['chinese']],
    ['子', ['chinese']],
    ['量子纠缠,第', ['chinese']],
    ['%', ['percent']],
    ['e_h', ['percent']],
    ['__', []],
    ['ÜB', ['lines']],
    ['nowhere', []],
    [' ', ['rings', 'chinese', 'percent', 'lines', '', 'rings']],
  ])('%j', async (search, found) => {
    expect(await find(admin, { search })).toEqual(expected(...found));
  });

  test('covers only records that the reader may see', async () => {
    expect(await find(member, { search: 'i' })).toEqual(expected('rings'));
    expect(await find(owner, { search: 'i' })).toEqual(expected('rings', 'rings'));
    expect(await find(owner, { search: 'done' })).toEqual([]); // on another user's project
    expect(await find(outsider, { search: 'i' })).toEqual([]);
    expect(await find(member, { search: 'ü' }, `/api/projects/${own}/sessions`)).toEqual([]);
    expect(await find(member, { search: 'ü' }, `/api/projects/${shared}/sessions`)).toEqual(expected('lines'));
  });

  test('has pages and totals', async () => {
    const page = async (number: number) =>
      (await app.as(admin).get(`/api/sessions?search=ring&limit=1&page=${number}`).expect(200)).body.data;
    const [first, second, third] = [await page(1), await page(2), await page(3)];
    for (const { pagination } of [first, second, third]) expect(pagination).toMatchObject({ total: 2, pages: 2 });
    expect(first.sessions[0]).toMatchObject({ ended_at: null, username: member.username });
    expect(second.sessions[0]).toMatchObject({ user_id: owner.id, username: owner.username });
    expect(third.sessions).toEqual([]);
  });

  test('applies to exports', async () => {
    const response = await app.as(admin).get('/api/sessions/export?format=json&search=ring').expect(200);
    expect(response.body.data.sessions).toMatchObject([{ note: notes.rings, username: owner.username }]);
  });
});

describe('running', () => {
  test('true returns timers, false finished records', async () => {
    expect(await find(admin, { running: 'true' })).toEqual(expected('rings'));
    expect(await find(owner, { running: 'true' })).toEqual(expected('rings'));
    expect(await find(outsider, { running: 'true' })).toEqual([]);
    expect(await find(member, { running: 'true' }, `/api/projects/${own}/sessions`)).toEqual([]);
    expect(await find(member, { running: 'false' })).toEqual(expected('chinese', 'percent', 'lines', ''));
    expect(await find(admin, { running: 'false', search: 'rings' })).toEqual(expected('rings'));
  });

  test.each(['yes', '1', 'TRUE'])('%s is rejected', async (running) => {
    const response = await app.as(member).get(`/api/sessions?running=${running}`).expect(400);
    expect(response.body.error.details).toMatchObject([{ field: 'running' }]);
  });
});

describe('username', () => {
  test('filters by author, case-insensitively, within the reader’s visibility', async () => {
    const [username, ofOwner] = [member.username.toUpperCase(), owner.username];
    expect(await find(admin, { username, running: 'false' })).toEqual(expected('chinese', 'percent', 'lines', ''));
    expect(await find(owner, { username, running: 'false' })).toEqual(expected('chinese', 'lines', ''));
    expect(await find(member, { username: ofOwner })).toEqual([]);
    expect(await find(outsider, { username })).toEqual([]);
    expect(await find(admin, { username: 'nobody' })).toEqual([]);
    expect(await find(admin, { username: member.username.slice(0, 3) })).toEqual([]);
    expect(await find(admin, { username, user_id: `${owner.id}` })).toEqual([]);
  });

  test('is part of every record and its ETag', async () => {
    const user = await app.createUser();
    const project = await createProject(app, user, 'Renamed');
    const body = { started_at: '2026-01-01T08:00:00Z', duration_seconds: 60 };
    const created = await app.as(user).post(`/api/projects/${project}/sessions`, body).expect(201);
    expect(created.body.data.username).toBe(user.username);
    const path = `/api/sessions/${created.body.data.id}`;
    const tag = String(created.headers['etag']);
    await app.as(user).get(path).set('If-None-Match', tag).expect(304);
    await app.as(admin).put(`/api/admin/users/${user.id}`, { username: 'renamed.one' }).expect(200);
    const read = await app.as(user).get(path).set('If-None-Match', tag).expect(200);
    expect(read.body.data.username).toBe('renamed.one');
    await app.as(user).put(path, { note: 'same record' }).set('If-Match', tag).expect(200);
  });
});
