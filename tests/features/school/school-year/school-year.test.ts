import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';
import { awardAll } from '../../study/achievements/earnings.ts';
import { createStudent } from './students.ts';

let app: TestApp;
let admin: TestUser;
const clock = createTestClock(new Date('2026-11-27T12:00:00.000Z'));

beforeAll(async () => {
  app = await startTestApp({ clock });
  admin = await app.createUser({ role: 'admin' });
});
afterAll(() => app.stop());
beforeEach(async () => {
  await app.query('DELETE FROM terms');
  await app.query('DELETE FROM school_days');
});

const term = (body: object) => app.as(admin).post('/api/admin/terms', { name: 'Autumn term', ...body });
const days = (from: string, to = from, more: object = {}) =>
  app.as(admin).post('/api/admin/school-days', { name: 'Days', from, to, kind: 'off', ...more });
const read = async (path: string, by = admin) => (await app.as(by).get(path).expect(200)).body.data;

describe('terms', () => {
  test('are created, changed and deleted, in the order of their days', async () => {
    const { body } = await term({ from: '2026-09-01', to: '2027-01-23' }).expect(201);
    expect(body.data).toMatchObject({ name: 'Autumn term', from: '2026-09-01', to: '2027-01-23' });
    await term({ name: 'Summer term', from: '2026-02-23', to: '2026-07-10' }).expect(201);
    await app
      .as(admin)
      .put(`/api/admin/terms/${body.data.id}`, { name: 'Autumn', from: '2026-08-31', to: '2027-01-22' })
      .expect(200);
    const names = (await read('/api/admin/terms')).map(({ name }: { name: string }) => name);
    expect(names).toEqual(['Summer term', 'Autumn']);
    await app.as(admin).delete(`/api/admin/terms/${body.data.id}`).expect(200);
    expect(await read('/api/admin/terms')).toHaveLength(1);
  });

  test('do not overlap, also when two are created at once', async () => {
    await term({ from: '2026-09-01', to: '2027-01-23' }).expect(201);
    const { body } = await term({ name: 'Other', from: '2027-01-23', to: '2027-02-01' }).expect(400);
    expect(body.error.details).toEqual([{ field: 'from', message: 'overlaps Autumn term' }]);
    const statuses = await Promise.all(
      [1, 2, 3].map(async (day) => (await term({ from: `2027-03-0${day}`, to: '2027-06-01' })).status),
    );
    expect(statuses.sort()).toEqual([201, 400, 400]);
  });

  test('have an end after their beginning, and at most 366 days', async () => {
    await term({ from: '2026-09-02', to: '2026-09-01' }).expect(400);
    await term({ from: '2026-01-01', to: '2027-01-02' }).expect(400);
    await term({ from: '2026-01-01', to: '2027-01-01' }).expect(201);
  });

  test('tell their length in school days: without weekends and holidays, with make-up days', async () => {
    await term({ from: '2026-09-28', to: '2026-10-11' }).expect(201);
    const length = async () => (await read('/api/admin/terms'))[0].school_days;
    expect(await length()).toBe(10);
    await days('2026-10-01', '2026-10-07').expect(201);
    await days('2026-10-10', '2026-10-10', { kind: 'school_day' }).expect(201);
    expect(await length()).toBe(6);
  });

  test('tell it by the weekdays of lessons at this school', async () => {
    const six = await startTestApp({ clock, settings: { SCHOOL_WEEKDAYS: '1,2,3,4,5,6' } });
    onTestFinished(() => six.stop());
    const head = await six.createUser({ role: 'admin' });
    const weeks = { name: 'Autumn term', from: '2026-09-28', to: '2026-10-11' };
    const { body } = await six.as(head).post('/api/admin/terms', weeks).expect(201);
    expect(body.data.school_days).toBe(12);
  });
});

describe('days off and make-up days', () => {
  test('are those of the school and of its classes, in the order of their days', async () => {
    const group = (await app.as(admin).post('/api/admin/groups', { name: '7a' }).expect(201)).body.data;
    const { body } = await days('2026-10-01', '2026-10-07', { name: 'National Day' }).expect(201);
    expect(body.data).toMatchObject({ from: '2026-10-01', kind: 'off', group_id: null, school_days: 5 });
    const make = await days('2026-09-20', '2026-09-20', { kind: 'school_day', group_id: group.id }).expect(201);
    expect(make.body.data).toMatchObject({ group_id: group.id, school_days: 1 });
    expect(await read('/api/admin/school-days')).toHaveLength(2);
    expect(await read('/api/admin/school-days?from=2026-09-21&to=2026-10-01')).toHaveLength(1);
    expect(await read(`/api/admin/school-days?group_id=${group.id + 1}`)).toHaveLength(1);
    await app.as(admin).delete(`/api/admin/groups/${group.id}`).expect(200);
    expect(await read('/api/admin/school-days')).toHaveLength(1);
    await days('2026-10-01', '2026-10-07', { group_id: group.id }).expect(400);
  });

  test('the deletion of a class and a change of its days do not wait for each other in a circle', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = (
        await app
          .as(admin)
          .post('/api/admin/groups', { name: `7b ${round}` })
          .expect(201)
      ).body.data;
      const entry = (await days('2026-12-01', '2026-12-01', { group_id: id }).expect(201)).body.data;
      const [deleted, changed] = await Promise.all([
        app.as(admin).delete(`/api/admin/groups/${id}`),
        app.as(admin).put(`/api/admin/school-days/${entry.id}`, {
          ...{ name: 'B', from: '2026-12-02', to: '2026-12-02', kind: 'off', group_id: id },
        }),
      ]);
      expect(deleted.status).toBe(200);
      expect([200, 400, 404]).toContain(changed.status);
    }
    expect(await read('/api/admin/school-days')).toEqual([]);
  });

  test('at most 1,000, also when two are added at once', async () => {
    await app.query(
      `INSERT INTO school_days (name, first_day, last_day, kind)
       SELECT 'Day', date '2100-01-01' + n, date '2100-01-01' + n, 'off' FROM generate_series(1, 999) AS n`,
    );
    const statuses = await Promise.all(
      [days('2026-12-01'), days('2026-12-02')].map(async (sent) => (await sent).status),
    );
    expect(statuses.sort()).toEqual([201, 409]);
  });
});

describe('of administrators who are limited to classes', () => {
  async function createTeacher() {
    const student = await app.createUser();
    const create = async (name: string, user_ids: number[]) =>
      Number((await app.as(admin).post('/api/admin/groups', { name, user_ids }).expect(201)).body.data.id);
    const [own, other] = [await create(`Own ${student.id}`, [student.id]), await create(`Other ${student.id}`, [])];
    const teacher = await app.createUser({ role: 'admin' });
    await app
      .as(admin)
      .put(`/api/admin/users/${teacher.id}`, { admin_scope: 'groups', admin_group_ids: [own] })
      .expect(200);
    return { teacher, student, own, other };
  }

  test('days of their classes do not become days of another class or of the whole school', async () => {
    const { teacher, own, other } = await createTeacher();
    const body = { name: 'Trip', from: '2026-11-12', to: '2026-11-13', kind: 'off' };
    const entry = (
      await app
        .as(teacher)
        .post('/api/admin/school-days', { ...body, group_id: own })
        .expect(201)
    ).body;
    for (const group_id of [other, null]) {
      const path = `/api/admin/school-days/${entry.data.id}`;
      const answer = await app
        .as(teacher)
        .put(path, { ...body, group_id })
        .expect(403);
      expect(answer.body.error).toMatchObject({ code: 'PERMISSION_DENIED', details: [{ field: 'group_id' }] });
    }
    await days('2026-10-01', '2026-10-07', { name: 'National Day' }).expect(201);
    await days('2026-12-01', '2026-12-01', { group_id: other }).expect(201);
    const names = (await read('/api/admin/school-days', teacher)).map(({ name }: { name: string }) => name);
    expect(names).toEqual(['National Day', 'Trip']);
    await app.as(teacher).get(`/api/admin/school-days?group_id=${other}`).expect(403);
  });

  test('the reasons of excused days are hidden out of scope', async () => {
    const { teacher, student } = await createTeacher();
    const outsider = await app.createUser();
    for (const { id } of [student, outsider])
      await app
        .as(admin)
        .post(`/api/admin/users/${id}/days-off`, { from: '2026-11-16', to: '2026-11-16', reason: 'Appendix operation' })
        .expect(201);
    const pathsOf = ({ id }: TestUser) => [`/api/admin/users/${id}/days-off`, `/api/school-year?user_id=${id}`];
    for (const path of pathsOf(student))
      expect((await app.as(teacher).get(path).expect(200)).text).toContain('Appendix operation');
    for (const path of pathsOf(outsider))
      expect((await app.as(teacher).get(path).expect(403)).text).not.toContain('Appendix');
    for (const path of pathsOf(student)) {
      expect((await app.as(outsider).get(path).expect(403)).text).not.toContain('Appendix');
      await app
        .as(admin)
        .put(`/api/admin/users/${teacher.id}`, { admin_scope: 'groups', admin_group_ids: [] })
        .expect(200);
      expect((await app.as(teacher).get(path).expect(403)).text).not.toContain('Appendix');
    }
  });

  test('days off of their students are changed by them, of their own only those that they have set', async () => {
    const { teacher, student } = await createTeacher();
    const day = { from: '2026-11-16', to: '2026-11-16' };
    const ofStudent = (await app.as(student).post('/api/me/days-off', day).expect(201)).body.data;
    const path = `/api/admin/users/${student.id}/days-off/${ofStudent.id}`;
    expect((await app.as(teacher).put(path, day).expect(200)).body.data.own).toBe(false);
    const ofTeacher = (await app.as(admin).post(`/api/admin/users/${teacher.id}/days-off`, day).expect(201)).body.data;
    await app.as(teacher).delete(`/api/me/days-off/${ofTeacher.id}`).expect(403);
    await app.as(teacher).post(`/api/admin/users/${teacher.id}/days-off`, day).expect(201);
  });
});

describe('a streak', () => {
  const student = (...studied: string[]) => createStudent(app, ...studied);
  const streak = async (user: TestUser) => (await read('/api/stats', user)).current_streak;
  const earned = async (user: TestUser) =>
    (await read('/api/achievements', user)).flatMap(
      ({ requires, earned_at }: { requires: { kind: string; amount: number }; earned_at: string | null }) =>
        requires.kind === 'streak' && earned_at !== null ? [requires.amount] : [],
    );

  test('is neither broken nor extended by a day that is off, and is counted again with the awards', async () => {
    const user = await student('2026-11-23', '2026-11-24', '2026-11-26', '2026-11-27');
    expect([await streak(user), await earned(user)]).toEqual([2, []]);
    await days('2026-11-25').expect(201);
    expect(await streak(user)).toBe(4);
    await awardAll(app);
    expect(await earned(user)).toEqual([3]);
    await days('2026-11-26').expect(201);
    expect(await streak(user)).toBe(3);
  });

  test('an entry of a class wins over one of the school, and lessons over a rest day', async () => {
    const user = await student('2026-11-25', '2026-11-27');
    const group = (
      await app
        .as(admin)
        .post('/api/admin/groups', { name: '8a', user_ids: [user.id] })
        .expect(201)
    ).body.data;
    await days('2026-11-26').expect(201);
    expect(await streak(user)).toBe(2);
    await days('2026-11-26', '2026-11-26', { kind: 'school_day', group_id: group.id }).expect(201);
    expect(await streak(user)).toBe(1);
    await app
      .as(admin)
      .post(`/api/admin/groups/${group.id}/members`, { remove: [user.id] })
      .expect(200);
    expect(await streak(user)).toBe(2);
    await app.query('DELETE FROM school_days');
    await app
      .as(user)
      .put('/api/auth/me', { rest_weekdays: [4] })
      .expect(200);
    expect(await streak(user)).toBe(2);
    await days('2026-11-26', '2026-11-26', { kind: 'school_day' }).expect(201);
    expect(await streak(user)).toBe(1);
    await app
      .as(admin)
      .post(`/api/admin/users/${user.id}/days-off`, { from: '2026-11-26', to: '2026-11-26', reason: 'Ill' })
      .expect(201);
    expect(await streak(user)).toBe(2);
  });

  test('a record that joins days around a holiday of weeks earns the award at once', async () => {
    await days('2026-10-01', '2026-11-24').expect(201);
    const user = await student('2026-09-29', '2026-09-30', '2026-10-10', '2026-11-25');
    expect([await streak(user), await earned(user)]).toEqual([0, [3]]);
    await days('2026-11-26').expect(201);
    expect(await streak(user)).toBe(3);
  });
});

describe('days off of a person', () => {
  const own = (user: TestUser, from: string, to = from) =>
    app.as(user).post('/api/me/days-off', { from, to, reason: 'Family visit' });

  test('are listed, changed and deleted, those of administrators only by administrators', async () => {
    const user = await app.createUser();
    const { id } = (await own(user, '2026-12-14', '2026-12-25').expect(201)).body.data;
    const path = `/api/admin/users/${user.id}/days-off`;
    const excused = (await app.as(admin).post(path, { from: '2026-10-12', to: '2026-10-22' }).expect(201)).body.data;
    expect(excused).toMatchObject({ reason: '', own: false });
    const long = { from: '2026-10-12', to: '2026-10-22', reason: '理'.repeat(101) };
    await app.as(admin).post(path, long).expect(400);
    const kept = { ...long, reason: '理'.repeat(100) };
    await app.as(admin).put(`${path}/${excused.id}`, kept).expect(200);
    const listed = await read('/api/me/days-off', user);
    expect(listed.days_off.map((entry: { id: number }) => entry.id)).toEqual([id, excused.id]);
    expect(listed.years).toEqual([{ year: 2026, taken: 0, planned: 12, left: 48 }]);
    expect(await read(path)).toEqual(listed);
    await app.as(user).put(`/api/me/days-off/${excused.id}`, { from: '2026-10-12', to: '2026-10-12' }).expect(403);
    await app.as(user).delete(`/api/me/days-off/${excused.id}`).expect(403);
    await app.as(user).put(`/api/me/days-off/${id}`, { from: '2026-11-02', to: '2026-11-03' }).expect(200);
    expect((await read('/api/me/days-off', user)).years).toEqual([{ year: 2026, taken: 2, planned: 0, left: 58 }]);
    await app.as(admin).put(`${path}/${id}`, { from: '2026-11-02', to: '2026-11-03' }).expect(200);
    expect((await read(path)).years).toEqual([{ year: 2026, taken: 0, planned: 0, left: 60 }]);
    await app.as(admin).delete(`${path}/${id}`).expect(200);
    await app
      .as(await app.createUser())
      .delete(`/api/me/days-off/${excused.id}`)
      .expect(404);
  });

  test('credit no hours, neither excused days nor those of the school; study on them counts', async () => {
    const user = await createStudent(app, '2026-11-23', '2026-11-25');
    const figures = async () => {
      const { total_hours, study_days, weekly_progress, daily } = await read('/api/stats?daily=true', user);
      return { total_hours, study_days, weekly_progress, daily };
    };
    const before = await figures();
    expect(before).toMatchObject({ total_hours: 1, study_days: 2 });
    await own(user, '2026-11-24', '2026-11-25').expect(201);
    await days('2026-11-22', '2026-11-23').expect(201);
    expect(await figures()).toEqual(before);
  });

  test('are at most 60 calendar days a year that are not off otherwise, also when two are set at once', async () => {
    const user = await app.createUser();
    await own(user, '2026-11-01', '2026-12-30').expect(201);
    const { body } = await own(user, '2026-12-31', '2027-01-05').expect(400);
    expect(body.error.details).toEqual([{ field: 'to', message: 'more than 60 days off in 2026: 61' }]);
    await own(user, '2027-01-01', '2027-03-01').expect(201);
    await own(user, '2026-11-05').expect(201); // is off already
    await days('2026-12-20', '2026-12-31').expect(201);
    await own(user, '2026-12-31').expect(201);
    const other = await app.createUser();
    await own(other, '2026-01-01', '2026-02-28').expect(201);
    const statuses = await Promise.all(['2026-05-04', '2026-05-05'].map(async (day) => (await own(other, day)).status));
    expect(statuses.sort()).toEqual([201, 400]);
  });
});
