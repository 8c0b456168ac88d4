import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

let app: TestApp;
let admin: TestUser;

beforeAll(async () => {
  app = await startTestApp({ clock: createTestClock(new Date('2026-11-27T12:00:00.000Z')) });
  admin = await app.createUser({ role: 'admin' });
});
afterAll(() => app.stop());
beforeEach(async () => {
  await app.query('DELETE FROM terms');
  await app.query('DELETE FROM school_days');
});

const create = async (by: TestUser, path: string, body: object) =>
  (await app.as(by).post(path, body).expect(201)).body.data;
const detailsOf = (path: string, body: object) =>
  app
    .as(admin)
    .put(path, body)
    .expect(400)
    .then((answer) => answer.body.error.details);

const autumn = { name: 'Autumn term', from: '2026-09-01', to: '2027-01-22' };

test('a change of a term keeps what it does not name', async () => {
  const term = await create(admin, '/api/admin/terms', autumn);
  const path = `/api/admin/terms/${term.id}`;
  for (const changes of [{}, { name: 'Fall' }, { to: '2027-01-29' }, { from: '2026-08-31' }]) {
    Object.assign(term, changes, { school_days: expect.any(Number) });
    expect((await app.as(admin).patch(path, changes).expect(200)).body.data).toEqual(term);
  }
  await app.as(admin).put(`${path}?dry_run=true`, { to: '2027-01-30' }).expect(200);
});

test('a first or last day alone is compared with the stored one', async () => {
  const { id } = await create(admin, '/api/admin/terms', autumn);
  const path = `/api/admin/terms/${id}`;
  const early = [{ field: 'to', message: 'must not be before the first day' }];
  expect(await detailsOf(path, { to: '2026-08-31' })).toEqual(early);
  expect(await detailsOf(path, { from: '2027-01-23' })).toEqual(early);
  const long = [{ field: 'to', message: 'the period must have at most 366 days' }];
  expect(await detailsOf(path, { to: '2027-09-02' })).toEqual(long);
  await create(admin, '/api/admin/terms', { name: 'Spring term', from: '2027-02-08', to: '2027-07-09' });
  expect(await detailsOf(path, { to: '2027-02-08' })).toEqual([{ field: 'from', message: 'overlaps Spring term' }]);
});

test('days of a class stay those of the class if a change does not name it', async () => {
  const group = await create(admin, '/api/admin/groups', { name: '7a' });
  const trip = { name: 'Trip', from: '2026-12-01', to: '2026-12-02', kind: 'off', group_id: group.id };
  const entry = await create(admin, '/api/admin/school-days', trip);
  const path = `/api/admin/school-days/${entry.id}`;
  const later = { name: 'Trip to the sea', from: '2026-12-02', to: '2026-12-03', kind: 'off' };
  const { body } = await app.as(admin).put(path, later).expect(200);
  expect(body.data).toEqual({ ...entry, ...later });
  const effect = await app.as(admin).put(`${path}?dry_run=true`, { to: '2026-12-04' }).expect(200);
  expect(effect.body.data.students).toBe(0); // of the class, which is empty
  const changed = await app.as(admin).patch(path, { kind: 'school_day', group_id: null }).expect(200);
  expect(changed.body.data).toMatchObject({ ...later, kind: 'school_day', group_id: null });
});

test('a reason stays if a change names days only', async () => {
  const user = await app.createUser();
  const visit = { from: '2026-12-14', to: '2026-12-16', reason: 'Family visit' };
  const { id } = await create(user, '/api/me/days-off', visit);
  const own = await app.as(user).patch(`/api/me/days-off/${id}`, { to: '2026-12-15' }).expect(200);
  expect(own.body.data).toEqual({ ...visit, id, to: '2026-12-15', own: true });
  const path = `/api/admin/users/${user.id}/days-off/${id}`;
  const excused = await app.as(admin).put(path, { from: '2026-12-15' }).expect(200);
  expect(excused.body.data).toEqual({ ...visit, id, from: '2026-12-15', to: '2026-12-15', own: false });
});

test('a year with too many days off, because a holiday was removed, hinders no other year, and can be shortened', async () => {
  const user = await app.createUser();
  const holiday = { name: 'Holiday', from: '2026-10-01', to: '2026-10-07', kind: 'off' };
  const { id } = await create(admin, '/api/admin/school-days', holiday);
  const long = await create(user, '/api/me/days-off', { from: '2026-09-01', to: '2026-11-06' }); // 60 and the holiday
  await app.as(admin).delete(`/api/admin/school-days/${id}`).expect(200);
  await create(user, '/api/me/days-off', { from: '2027-03-01', to: '2027-03-01' });
  await app.as(user).put(`/api/me/days-off/${long.id}`, { to: '2026-11-05' }).expect(200);
  const { body } = await app.as(user).put(`/api/me/days-off/${long.id}`, { to: '2026-11-06' }).expect(400);
  expect(body.error.details).toEqual([{ field: 'to', message: 'more than 60 days off in 2026: 67' }]);
});
