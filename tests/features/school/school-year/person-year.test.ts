import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

let app: TestApp;
let admin: TestUser;
let student: TestUser;

beforeAll(async () => {
  app = await startTestApp();
  admin = await app.createUser({ role: 'admin' });
  student = await app.createUser();
});
afterAll(() => app.stop());

const read = async (by: TestUser, query = '') =>
  (await app.as(by).get(`/api/school-year${query}`).expect(200)).body.data;

test('the school year of a person has the terms and what days are for them, each with the name that makes it so', async () => {
  const group = (
    await app
      .as(admin)
      .post('/api/admin/groups', { name: '7a', user_ids: [student.id] })
      .expect(201)
  ).body.data.id;
  const other = (await app.as(admin).post('/api/admin/groups', { name: '7b' }).expect(201)).body.data.id;
  const term = { name: 'Autumn term', from: '2026-09-01', to: '2027-01-23' };
  await app.as(admin).post('/api/admin/terms', term).expect(201);
  const days = (name: string, from: string, to: string, more: object = {}) =>
    app
      .as(admin)
      .post('/api/admin/school-days', { name, from, to, kind: 'off', ...more })
      .expect(201);
  await days('National Day', '2026-10-01', '2026-10-07');
  await days('Make-up day', '2026-10-10', '2026-10-10', { kind: 'school_day' });
  await days('Rehearsal', '2026-10-05', '2026-10-05', { kind: 'school_day', group_id: group });
  await days('Trip', '2026-10-07', '2026-10-08', { group_id: group });
  await days('Secret trip', '2026-10-12', '2026-10-13', { group_id: other });
  const own = { from: '2026-10-02', to: '2026-10-02', reason: 'Ill' };
  await app.as(student).post('/api/me/days-off', own).expect(201);

  const expected = {
    terms: [term],
    days: [
      { from: '2026-10-01', to: '2026-10-01', kind: 'off', name: 'National Day' },
      { from: '2026-10-02', to: '2026-10-02', kind: 'excused', name: 'Ill' },
      { from: '2026-10-03', to: '2026-10-04', kind: 'off', name: 'National Day' },
      { from: '2026-10-05', to: '2026-10-05', kind: 'school_day', name: 'Rehearsal' },
      { from: '2026-10-06', to: '2026-10-06', kind: 'off', name: 'National Day' },
      { from: '2026-10-07', to: '2026-10-08', kind: 'off', name: 'Trip' },
      { from: '2026-10-10', to: '2026-10-10', kind: 'school_day', name: 'Make-up day' },
    ],
  };
  expect(await read(student)).toEqual(expected);
  expect(await read(admin, `?user_id=${student.id}`)).toEqual(expected);
  expect((await read(admin)).days.map(({ name }: { name: string }) => name)).toEqual(['National Day', 'Make-up day']);

  const days_of_class = expected.days.flatMap((day) => (day.name === 'Ill' ? [] : [day]));
  days_of_class.splice(0, 2, { from: '2026-10-01', to: '2026-10-04', kind: 'off', name: 'National Day' });
  expect(await read(admin, `?group_id=${group}`)).toEqual({ terms: [term], days: days_of_class });
});

test('is read by the person and by administrators', async () => {
  await app.as(student).get(`/api/school-year?user_id=${admin.id}`).expect(403);
  await app.as(admin).get('/api/school-year?user_id=999999').expect(404);
  await app.as(admin).get('/api/school-year?group_id=999999').expect(404);
  await app.as(student).get('/api/school-year?group_id=1').expect(403);
  const both = await app.as(admin).get(`/api/school-year?group_id=1&user_id=${student.id}`).expect(400);
  expect(both.body.error.details).toEqual([{ field: 'user_id', message: 'cannot be combined with group_id' }]);
  const teacher = await app.createUser({ role: 'admin' });
  await app.as(admin).put(`/api/admin/users/${teacher.id}`, { admin_scope: 'groups', admin_group_ids: [] }).expect(200);
  await app.as(teacher).get(`/api/school-year?user_id=${student.id}`).expect(403);
  await app.as(teacher).get('/api/school-year?group_id=1').expect(403);
  const [{ id }] = (await app.query<{ id: number }>("INSERT INTO groups (name) VALUES ('Own') RETURNING id")) as [
    { id: number },
  ];
  await app
    .as(admin)
    .put(`/api/admin/users/${teacher.id}`, { admin_group_ids: [id] })
    .expect(200);
  await app.as(teacher).get(`/api/school-year?group_id=${id}`).expect(200);
});
