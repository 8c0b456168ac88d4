import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runJob } from '../../../support/contact.ts';
import { assign, createProject } from '../../../support/records.ts';
import { type Receiver, startReceiver, verify } from '../../../support/servers/webhook-receiver.ts';
import { startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

let app: TestApp;
let teacher: TestUser;
let [anna, ben]: TestUser[] = [];
let receiver: Receiver;
let secret: string;
beforeAll(async () => {
  app = await startTestApp({ settings: { WEBHOOK_TARGETS: 'any' } });
  teacher = await app.createUser({ role: 'admin' });
  anna = await app.createUser();
  ben = await app.createUser();
});
afterAll(() => app.stop());
beforeEach(async () => {
  receiver = await startReceiver();
  const body = { url: receiver.url, events: ['goal.reached'] };
  secret = (await app.as(teacher).post('/api/admin/webhooks', body).expect(201)).body.data.secret;
});
afterEach(() => app.query('DELETE FROM webhooks'));

/** A project of the teacher for both students, with a target of two hours. */
async function shared(target_scope: 'shared' | 'each', target_hours = 2): Promise<number> {
  const id = await createProject(app, teacher, 'Rings', 'active', { target_hours, target_scope });
  await assign(app, id, student(anna), student(ben));
  return id;
}
function student(user: TestUser | undefined): TestUser {
  if (user === undefined) throw new Error('the users are created first');
  return user;
}

let day = 0;
/** Records hours on a day of their own. */
async function study(user: TestUser | undefined, project: number, hours: number): Promise<number> {
  day += 1;
  const started_at = new Date(Date.UTC(2025, 0, day, 8)).toISOString();
  const body = { started_at, duration_seconds: hours * 3600 };
  return (await app.as(student(user)).post(`/api/projects/${project}/sessions`, body).expect(201)).body.data.id;
}
const change = (project: number, body: object) => app.as(teacher).put(`/api/projects/${project}`, body).expect(200);

/** Who has reached which target, as the receiver was sent it. */
async function reached(): Promise<[project: unknown, by: unknown][]> {
  const [{ waiting } = { waiting: 0 }] = await app.query<{ waiting: number }>(
    'SELECT count(*)::integer AS waiting FROM webhook_deliveries',
  );
  await expect
    .poll(async () => {
      await runJob(app, 'deliver webhooks');
      return receiver.received.length;
    })
    .toBe(waiting);
  for (const delivery of receiver.received) verify(delivery, secret);
  return receiver.received.map(({ event: { data } }) => [data['id'], data['reached_by']]);
}

describe('a target for each', () => {
  test('is reached by a student with their own hours, not with those of all together', async () => {
    const project = await shared('each');
    await study(anna, project, 1);
    await study(ben, project, 1);
    expect(await reached()).toEqual([]);
    await study(ben, project, 1);
    expect(await reached()).toEqual([[project, ben?.id]]);
    await study(ben, project, 1);
    await study(anna, project, 1);
    expect(await reached()).toEqual([
      [project, ben?.id],
      [project, anna?.id],
    ]);
    expect(receiver.received[0]?.event.data).toMatchObject({
      user_id: teacher.id,
      target_scope: 'each',
      progress: 100,
    });
  });

  test('is reached once by records that arrive together', async () => {
    const project = await shared('each');
    await Promise.all([anna, ben, anna, ben, anna].map((user) => study(user, project, 1)));
    expect((await reached()).toSorted()).toEqual([
      [project, anna?.id],
      [project, ben?.id],
    ]);
  });

  test('is reached by an import', async () => {
    const project = await shared('each');
    await study(ben, project, 2);
    const rows = [1, 2, 3].map((n) => `${project},2024-01-0${n}T08:00:00Z,2024-01-0${n}T09:00:00Z\n`);
    const file = Buffer.from(`project_id,started_at,ended_at\n${rows.join('')}`);
    const sent = app.as(student(anna)).post('/api/sessions/import').field('dry_run', 'false');
    await sent.attach('file', file, 'r.csv').expect(200);
    expect(await reached()).toEqual([
      [project, ben?.id],
      [project, anna?.id],
    ]);
  });

  test('is reached by a longer record, and by one from another project', async () => {
    const [project, other] = [await shared('each'), await shared('each')];
    const [first, second] = [await study(anna, project, 1), await study(ben, other, 2)];
    await study(ben, project, 1);
    await app.as(student(anna)).put(`/api/sessions/${first}`, { note: 'Longer' }).expect(200);
    expect(await reached()).toEqual([[other, ben?.id]]);
    await app.as(student(anna)).put(`/api/sessions/${first}`, { duration_seconds: 7200 }).expect(200);
    await app.as(student(ben)).put(`/api/sessions/${second}`, { project_id: project }).expect(200);
    expect(await reached()).toEqual([
      [other, ben?.id],
      [project, anna?.id],
      [project, ben?.id],
    ]);
  });

  test('is reached again after a deletion', async () => {
    const project = await shared('each');
    await study(ben, project, 1);
    const record = await study(anna, project, 2);
    await app.as(student(anna)).delete(`/api/sessions/${record}`).expect(200);
    await study(anna, project, 1);
    expect(await reached()).toEqual([[project, anna?.id]]);
    await study(anna, project, 1);
    expect(await reached()).toEqual([
      [project, anna?.id],
      [project, anna?.id],
    ]);
  });

  test('is reached by those who are above a lowered one and were not above the former', async () => {
    const project = await shared('each', 4);
    await study(anna, project, 4);
    await study(ben, project, 2);
    await study(teacher, project, 1);
    await change(project, { target_hours: 3 });
    expect(await reached()).toEqual([[project, anna?.id]]);
    await change(project, { target_hours: 2 });
    await change(project, { target_hours: 2.5 });
    await change(project, { name: 'Ideals' });
    expect(await reached()).toEqual([
      [project, anna?.id],
      [project, ben?.id],
    ]);
  });
});

test('a target of all together is reached once, by a record, an import or a lowered target', async () => {
  const project = await shared('shared');
  await study(anna, project, 1);
  await study(ben, project, 1);
  await study(ben, project, 2);
  expect(await reached()).toEqual([[project, null]]);
  await change(project, { target_hours: 6 });
  await change(project, { target_hours: 4 });
  expect(await reached()).toEqual([
    [project, null],
    [project, null],
  ]);
  await change(project, { target_hours: 5 });
  const file = Buffer.from(`project_id,started_at,ended_at\n${project},2024-02-01T08:00:00Z,2024-02-01T09:00:00Z\n`);
  const sent = app.as(student(anna)).post('/api/sessions/import').field('dry_run', 'false');
  await sent.attach('file', file, 'r.csv').expect(200);
  expect(await reached()).toHaveLength(3);
});

test('a change between all and each sends who has reached the target of the new kind', async () => {
  const project = await shared('each');
  await study(anna, project, 1);
  await study(ben, project, 1);
  await change(project, { target_scope: 'shared' });
  expect(await reached()).toEqual([[project, null]]);
  await change(project, { target_scope: 'each' });
  await study(ben, project, 1);
  await change(project, { target_scope: 'shared' });
  await change(project, { target_scope: 'each', target_hours: 1 });
  expect((await reached()).slice(1)).toEqual([
    [project, ben?.id],
    [project, null],
    [project, anna?.id],
    [project, ben?.id],
  ]);
});
