import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createJobQueue } from '../../../../src/features/operations/background-work/background-worker.ts';
import { createAwardKind } from '../../../../src/features/study/achievements/award-kind.ts';
import { createEncryption } from '../../../../src/lib/secrets/encryption.ts';
import { runJob } from '../../../support/contact.ts';
import { runRoster } from '../../../support/roster.ts';
import { startSmtpServer, type TestSmtpServer } from '../../../support/servers/smtp-server.ts';
import { startTestApp, type TestApp, type TestUser, testSecret } from '../../../support/test-app.ts';
import { awardAll, earned } from '../../study/achievements/earnings.ts';

let smtp: TestSmtpServer;
let app: TestApp;
let admin: TestUser;
beforeAll(async () => {
  smtp = await startSmtpServer();
  const settings = {
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    WEBHOOK_TARGETS: 'any',
    PUBLIC_URL: 'http://study.test',
  };
  app = await startTestApp({ settings });
  admin = await app.createUser({ role: 'admin' });
});
afterAll(async () => {
  await app.stop();
  await smtp.stop();
});
afterEach(async () => {
  await app.query('DELETE FROM background_jobs');
  await app.query('DELETE FROM webhooks');
  smtp.mails.length = 0;
});

const createProject = async (user: TestUser, name: string): Promise<number> =>
  (await app.as(user).post('/api/projects', { name }).expect(201)).body.data.id;
const jobs = (kind: string) =>
  app.query<{ sender: number; payload: unknown }>(
    'SELECT sender, payload FROM background_jobs WHERE kind = $1 ORDER BY turn, id',
    [kind],
  );
const isRunning = (kind: string) =>
  app.query(
    `UPDATE background_jobs SET merge_key = NULL, claims = 1, claimed_at = now(), next_at = now() + interval '1 hour' WHERE kind = $1`,
    [kind],
  );

describe('awards', () => {
  const changeZone = (user: TestUser, timezone: string) => app.as(user).put('/api/auth/me', { timezone }).expect(200);

  test('of one user are one waiting job, whatever changes how often', async () => {
    const [user, other] = [await app.createUser(), await app.createUser()];
    for (const zone of ['Asia/Tokyo', 'Asia/Seoul', 'Europe/Paris']) await changeZone(user, zone);
    await changeZone(other, 'Asia/Tokyo');
    await Promise.all(['Asia/Dubai', 'Asia/Macau', 'Asia/Manila'].map((zone) => changeZone(user, zone)));
    expect(await jobs('achievements')).toEqual([
      { sender: user.id, payload: { user_id: user.id, project_ids: [] } },
      { sender: other.id, payload: { user_id: other.id, project_ids: [] } },
    ]);
    await isRunning('achievements');
    await changeZone(user, 'UTC');
    expect(await jobs('achievements')).toHaveLength(3);
  });

  test('of many projects let other users have their turn in between, and are all given', async () => {
    const [user, other] = [await app.createUser(), await app.createUser()];
    const projects: number[] = [];
    for (let number = 0; number < 25; number += 1) projects.push(await createProject(user, `Project ${number}`));
    await app.query("UPDATE projects SET created_at = '2019-01-01Z' WHERE id = ANY($1)", [projects]);
    for (const [day, ids] of [projects.slice(0, 15), projects.slice(10)].entries()) {
      const rows = ids.map((id, hour) => {
        const at = (minute: string) => `2023-02-1${day}T${String(hour).padStart(2, '0')}:${minute}:00Z`;
        return `${id},${at('00')},${at('30')}`;
      });
      const file = Buffer.from(['project_id,started_at,ended_at', ...rows].join('\n'));
      const request = app.as(user).post('/api/sessions/import').field('dry_run', 'false');
      await request.attach('file', file, 'a.csv').expect(200);
    }
    await changeZone(other, 'Asia/Tokyo');
    const [merged] = await jobs('achievements');
    expect(merged?.payload).toEqual({ user_id: user.id, project_ids: projects });
    const { store, logger } = app.container;
    const clock = () => new Date();
    const queue = createJobQueue(createAwardKind({ store, clock }), createEncryption([testSecret], 'test'), {
      store,
      clock,
      logger,
    });
    await queue.runNext();
    expect(await jobs('achievements')).toEqual([
      { sender: other.id, payload: { user_id: other.id, project_ids: [] } },
      { sender: user.id, payload: { user_id: user.id, project_ids: projects.slice(20) } },
    ]);
    await awardAll(app);
    expect(await jobs('achievements')).toEqual([]);
    for (const id of [projects[0] ?? 0, projects.at(-1) ?? 0])
      expect(await earned(app, 'project', id)).toContain('first_record');
    expect(await earned(app, 'user', user.id)).toContain('first_record');
  });
});

describe('mails', () => {
  const send = () => runJob(app, 'send mails to account holders');

  test('with a link that its reader has asked for precede the invitations of a roster', async () => {
    const user = await app.createUser();
    const file = ['username,email', ...Array.from({ length: 12 }, (_, index) => `new${index},new${index}@school.test`)];
    await runRoster(app, admin, file, { dry_run: 'false', invite: 'true' });
    const { email } = (await app.as(user).get('/api/auth/me').expect(200)).body.data;
    await app.anonymous.post('/api/auth/forgot-password', { email }).expect(200);
    await runJob(app, 'mail links to reset passwords');
    await send();
    expect(smtp.mails[0]?.recipients).toEqual([email]);
    expect(smtp.mails).toHaveLength(13);
  });

  test('of several senders alternate', async () => {
    const other = await app.createUser({ role: 'admin' });
    const students: TestUser[] = [];
    for (let number = 0; number < 4; number += 1) students.push(await app.createUser());
    for (const by of [admin, other])
      await app
        .as(by)
        .post('/api/admin/messages', {
          user_ids: students.map(({ id }) => id),
          subject: `by ${by.id}`,
          text: 'On Friday.',
        })
        .expect(200);
    await send();
    const senders = [admin.id, other.id, admin.id, other.id, admin.id, other.id, admin.id, other.id];
    expect(smtp.mails.map(({ subject }) => subject)).toEqual(senders.map((id) => `by ${id}`));
  });
});

describe('deliveries of a webhook', () => {
  const watch = () => runJob(app, 'watch the queues of webhooks');
  async function createWebhook(): Promise<number> {
    const events = ['project.created', 'project.updated'];
    return (await app.as(admin).post('/api/admin/webhooks', { url: 'http://127.0.0.1:9/', events }).expect(201)).body
      .data.id;
  }
  const fill = (webhook: number, user: TestUser, count: number) =>
    app.query(
      `INSERT INTO background_jobs (kind, queue, sender, turn, payload, created_at, next_at)
       SELECT 'webhook_delivery', $1, $2, n, '{"delivery_id": 0}', now(), now() + interval '1 day' FROM generate_series(1, $3) AS n`,
      [`${webhook}`, user.id, count],
    );
  const recorded = async (webhook: number) =>
    (
      await app.query<{ type: string; data: { name?: string; user_id?: number } }>(
        'SELECT type, data FROM webhook_deliveries WHERE webhook_id = $1 ORDER BY id',
        [webhook],
      )
    ).map(({ type, data }) => [type, data.name ?? data.user_id]);

  test('about one user do not come before those about others', async () => {
    const webhook = await createWebhook();
    const [busy, other] = [await app.createUser(), await app.createUser()];
    const project = await createProject(busy, 'First');
    for (let number = 0; number < 5; number += 1)
      await app
        .as(busy)
        .put(`/api/projects/${project}`, { description: `Number ${number}` })
        .expect(200);
    await createProject(other, 'Second');
    expect((await jobs('webhook_delivery')).map(({ sender }) => sender)).toEqual([
      busy.id,
      other.id,
      busy.id,
      busy.id,
      busy.id,
      busy.id,
      busy.id,
    ]);
    expect(await recorded(webhook)).toHaveLength(7);
  });

  test('of whom too many wait are left out before those of others, and the receiver learns it', async () => {
    const webhook = await createWebhook();
    const [busy, other] = [await app.createUser(), await app.createUser()];
    await fill(webhook, busy, 5_000);
    await createProject(busy, 'Counted');
    await watch();
    await createProject(busy, 'Left out');
    await createProject(other, 'Recorded');
    expect(await recorded(webhook)).toEqual([
      ['project.created', 'Counted'],
      ['project.created', 'Recorded'],
    ]);
    await app.query("DELETE FROM background_jobs WHERE payload ->> 'delivery_id' = '0'");
    await watch();
    await createProject(busy, 'Again');
    expect((await recorded(webhook)).slice(2)).toEqual([
      ['events.skipped', busy.id],
      ['project.created', 'Again'],
    ]);
    const shown = (await app.as(admin).get(`/api/admin/webhooks/${webhook}`).expect(200)).body.data;
    expect(shown.skips_since).toBeNull();
  });

  test('of several users who crowd the queue are left out before it is full', async () => {
    const webhook = await createWebhook();
    const crowd = [await app.createUser(), await app.createUser(), await app.createUser(), await app.createUser()];
    const other = await app.createUser();
    for (const user of crowd) await fill(webhook, user, 4_000);
    await fill(webhook, other, 100);
    await watch();
    for (const user of [...crowd, other]) await createProject(user, `Of ${user.id}`);
    expect(await recorded(webhook)).toEqual([['project.created', `Of ${other.id}`]]);
  });

  test('are kept in a bounded number', async () => {
    const webhook = await createWebhook();
    await app.query(
      `INSERT INTO webhook_deliveries (webhook_id, type, object, data, created_at, state)
       SELECT $1, 'project.updated', 'project:1', jsonb_build_object('number', n), now(), s.state
       FROM generate_series(1, 15001) AS n CROSS JOIN (VALUES ('delivered'), ('failed')) AS s (state)`,
      [webhook],
    );
    await runJob(app, 'delete excess deliveries of webhooks');
    expect(
      await app.query(
        `SELECT state, count(*)::integer AS kept, min((data ->> 'number')::integer) AS oldest FROM webhook_deliveries GROUP BY state ORDER BY state`,
      ),
    ).toEqual([
      { state: 'delivered', kept: 10_000, oldest: 5_002 },
      { state: 'failed', kept: 10_000, oldest: 5_002 },
    ]);
  });
});
