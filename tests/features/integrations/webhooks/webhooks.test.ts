import { Resolver } from 'node:dns/promises';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { runJob } from '../../../support/contact.ts';
import { createProject as createOf } from '../../../support/records.ts';
import { type Receiver, startReceiver, verify } from '../../../support/servers/webhook-receiver.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

const hour = 3_600_000;
const clock = createTestClock();
let app: TestApp;
let admin: TestUser;
let signInId: string;
beforeAll(async () => {
  app = await startTestApp({ settings: { WEBHOOK_TARGETS: 'any' }, clock });
  admin = await app.createUser({ role: 'admin' });
  const [signIn] = await app.query<{ id: string }>(
    `UPDATE sign_ins SET expires_at = now() + interval '1 year' WHERE user_id = $1 RETURNING id`,
    [admin.id],
  );
  signInId = signIn?.id ?? '';
});
afterAll(() => app.stop());
afterEach(async () => {
  await app.query('DELETE FROM background_jobs');
  await app.query('DELETE FROM webhooks');
  // Events use the clock of the database.
  advance(Date.now() - clock().getTime());
});

const base = '/api/admin/webhooks';
/** Advances the clock and issues a new token to the administrator. */
function advance(milliseconds: number): void {
  clock.advance(milliseconds);
  admin.token = app.container.tokens.sign({ user_id: admin.id, sign_in_id: signInId });
}
const as = () => app.as(admin);
async function createWebhook(url: string, events = ['project.created', 'project.updated']) {
  return (await as().post(base, { url, events }).expect(201)).body.data as { id: number; secret: string };
}
const deliveries = async (id: number) =>
  (await as().get(`${base}/${id}/deliveries`).expect(200)).body.data.deliveries as Record<string, unknown>[];
const createProject = (name: string): Promise<number> => createOf(app, admin, name);
const run = () => runJob(app, 'deliver webhooks');
/** Runs the deliveries until a condition holds. */
const until = (holds: () => unknown) =>
  expect
    .poll(async () => {
      await run();
      return holds();
    })
    .toBeTruthy();
const arrived = (receiver: Receiver, count: number) => until(() => receiver.received.length >= count);
/** Attempts due deliveries once, and waits for the outcome. */
async function attempt(receiver: Receiver): Promise<void> {
  const before = receiver.received.length;
  await arrived(receiver, before + 1);
  await settled();
}
const settled = () =>
  expect.poll(() => app.query('SELECT 1 FROM background_jobs WHERE claimed_at IS NOT NULL')).toEqual([]);

describe('webhooks', () => {
  test('are created with a secret that is returned once, changed, listed and deleted', async () => {
    const url = 'https://example.org/hook';
    const body = { url, events: ['session.created', 'project.created', 'project.created'] };
    const created = await as().post(base, body).set('Idempotency-Key', 'a-webhook').expect(201);
    const { id, secret, ...shown } = created.body.data;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(shown).toMatchObject({ url, events: ['project.created', 'session.created'], active: true, waiting: 0 });
    expect((await as().post(base, body).set('Idempotency-Key', 'a-webhook')).text).not.toContain(secret);
    const [stored] = await app.query<{ text: string }>('SELECT w::text AS text FROM webhooks w');
    expect(stored?.text).not.toContain(secret.slice(6));

    const found = await as().get(`${base}/${id}`).expect(200);
    expect(found.text).not.toContain('whsec');
    const change = { active: false };
    await as().put(`${base}/${id}`, change).set('If-Match', '"1.x"').expect(412);
    const changed = await as().put(`${base}/${id}`, change).set('If-Match', String(found.headers['etag'])).expect(200);
    expect(changed.body.data).toMatchObject({ active: false, events: shown.events, disabled_reason: null });
    expect((await as().get(base).expect(200)).body.data.webhooks).toEqual([changed.body.data]);
    await as().delete(`${base}/${id}`).set('If-Match', changed.body.data.etag).expect(200);
    await as().get(`${base}/${id}`).expect(404);
    const audit = (await as().get('/api/admin/audit?target_type=webhook').expect(200)).body.data.entries;
    expect(audit.map(({ action }: { action: string }) => action)).toEqual([
      'deleteWebhook',
      'updateWebhook',
      'createWebhook',
    ]);
    expect(JSON.stringify(audit)).not.toContain('secret');
  });

  test('are limited to twenty, also for concurrent requests', async () => {
    await app.query(
      `INSERT INTO webhooks (url, events, secret, created_at, updated_at)
       SELECT 'https://example.org', '{goal.reached}', 'encrypted', now(), now() FROM generate_series(1, 19)`,
    );
    const body = { url: 'https://example.org/', events: ['goal.reached'] };
    const both = await Promise.all([as().post(base, body), as().post(base, body), as().post(base, body)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
  });

  test('must have a public address', async () => {
    const strict = await startTestApp({ databaseUrl: app.databaseUrl });
    const events = ['goal.reached'];
    for (const url of ['http://example.org/', 'https://127.0.0.1/', 'https://localhost/', 'https://[::1]/hook']) {
      const { body } = await strict.as(admin).post(base, { url, events }).expect(400);
      expect(body.error.details).toMatchObject([{ field: 'url' }]);
    }
    for (const url of ['ftp://example.org', 'https://a:b@example.org/', 'https://example.org/#part', 'no'])
      await as().post(base, { url, events }).expect(400);
    await as()
      .post(base, { url: 'https://example.org/', events: ['project.*'] })
      .expect(400);
    await as().post(base, { url: 'https://example.org/', events: [] }).expect(400);
    await strict.stop();
  });

  test.each(['', 'a-key'])('are resolved before their transaction begins, with Idempotency-Key "%s"', async (key) => {
    const strict = await startTestApp({ databaseUrl: app.databaseUrl });
    onTestFinished(() => strict.stop());
    const open: number[] = [];
    onTestFinished(() => void vi.restoreAllMocks());
    vi.spyOn(Resolver.prototype, 'resolve6').mockResolvedValue([]);
    vi.spyOn(Resolver.prototype, 'resolve4').mockImplementation(async () => {
      const [{ count } = { count: -1 }] = await app.query<{ count: number }>(
        `SELECT count(*)::integer FROM pg_stat_activity
         WHERE datname = current_database() AND state = 'idle in transaction'`,
      );
      open.push(count);
      return ['93.184.216.34'];
    });
    const request = strict.as(admin).post(base, { url: 'https://example.org/', events: ['goal.reached'] });
    await (key === '' ? request : request.set('Idempotency-Key', key)).expect(201);
    expect(open).toEqual([0]);
  });
});

describe('a delivery', () => {
  test('is signed, contains the object, and is listed with the outcome', async () => {
    const receiver = await startReceiver();
    const { id, secret } = await createWebhook(receiver.url);
    const project = await createProject('Rings');
    await arrived(receiver, 1);
    await settled();
    const [first] = receiver.received;
    if (first === undefined) throw new Error('nothing received');
    verify(first, secret);
    expect(() => verify(first, `whsec_${Buffer.alloc(32).toString('base64')}`)).toThrow();
    expect(first.event).toMatchObject({
      type: 'project.created',
      data: { id: project, name: 'Rings', user_id: admin.id },
    });
    const shown = (await as().get(`/api/projects/${project}`).expect(200)).body.data;
    for (const [name, value] of Object.entries(first.event.data))
      if (name !== 'image') expect([name, value]).toEqual([name, shown[name]]);
    expect(await deliveries(id)).toMatchObject([
      {
        message_id: first.id,
        type: 'project.created',
        object: `project:${project}`,
        state: 'delivered',
        attempts: 1,
        response_status: 204,
      },
    ]);
    expect((await as().get('/api/admin/background-work')).body.data.kinds[2]).toMatchObject({
      kind: 'webhook_delivery',
      queued: 0,
    });
  });

  test('is retried with the same id and a new signature, in order for each object', async () => {
    const receiver = await startReceiver(() => 500);
    const { id, secret } = await createWebhook(receiver.url);
    const one = await createProject('One');
    await as().put(`/api/projects/${one}`, { name: 'One more' }).expect(200);
    await attempt(receiver);
    expect((await deliveries(id)).map(({ state, attempts }) => [state, attempts])).toEqual([
      ['waiting', 0],
      ['waiting', 1],
    ]);
    expect((await deliveries(id))[1]).toMatchObject({ error_code: 'HTTP_500', response_text: 'status 500' });
    await run();
    expect(receiver.received).toHaveLength(1); // the webhook is paused
    receiver.respondWith(() => 204);
    advance(30_000);
    await arrived(receiver, 3);
    await settled();
    const [failed, again, next] = receiver.received;
    if (failed === undefined || again === undefined || next === undefined) throw new Error('missing');
    expect([again.id, again.body]).toEqual([failed.id, failed.body]);
    expect(again.headers['webhook-signature']).not.toBe(failed.headers['webhook-signature']);
    expect(next.event.data['name']).toBe('One more');
    expect((await as().get(`${base}/${id}`)).body.data).toMatchObject({ failures: 0, paused_until: null });
    expect(secret).toBeTruthy();
  });

  test('that is always rejected does not block other objects', async () => {
    const poisoned = await createProject('Poison');
    const receiver = await startReceiver(({ event }) => (event.data['id'] === poisoned ? 400 : 204));
    await createWebhook(receiver.url);
    await as().put(`/api/projects/${poisoned}`, { name: 'Poison more' }).expect(200);
    await attempt(receiver);
    const other = await createProject('Other');
    advance(5000);
    await until(() => receiver.received.some(({ event }) => event.data['id'] === other));
  });

  test('of a project is delivered in order including its goal, independently of its records', async () => {
    let isDown = true;
    const receiver = await startReceiver(({ event }) => (isDown && event.type === 'project.updated' ? 500 : 204));
    await createWebhook(receiver.url, ['project.updated', 'project.deleted', 'goal.reached', 'session.created']);
    const project = await createOf(app, admin, 'Rings', 'active', { target_hours: 8 });
    await as().put(`/api/projects/${project}`, { name: 'Rings and fields' }).expect(200);
    await attempt(receiver);
    const record = { started_at: '2026-02-03T08:00:00Z', duration_seconds: 3600 };
    await as().post(`/api/projects/${project}/sessions`, record).expect(201);
    await as().put(`/api/projects/${project}`, { target_hours: 1 }).expect(200);
    await as().delete(`/api/projects/${project}`).expect(200);
    advance(5000); // the webhook's pause; the delivery that failed waits longer
    await until(() => receiver.types().includes('session.created'));
    await settled();
    expect(receiver.types()).toEqual(['project.updated', 'session.created']);
    isDown = false;
    advance(30_000);
    await arrived(receiver, 6);
    await settled();
    expect(receiver.types().slice(2)).toEqual([
      'project.updated',
      'project.updated',
      'goal.reached',
      'project.deleted',
    ]);
    const [, , renamed, , reached] = receiver.received;
    expect(renamed?.event.data['name']).toBe('Rings and fields');
    expect(reached?.event.data).toMatchObject({ id: project, target_hours: 1, progress: 100 });
  });

  test('with data of a deleted user is deleted once it is no longer waiting', async () => {
    const receiver = await startReceiver();
    const { id } = await createWebhook(receiver.url, ['session.created']);
    const user = await app.createUser();
    const record = async (of: TestUser, note: string) => {
      const project = await createOf(app, of, 'Rings');
      const body = { started_at: '2026-02-01T08:00:00Z', duration_seconds: 60, note };
      await app.as(of).post(`/api/projects/${project}/sessions`, body).expect(201);
    };
    const notes = async () => (await deliveries(id)).map(({ data }) => (data as { note: string }).note);
    await record(user, 'Delivered');
    await record(admin, 'Of somebody else');
    await arrived(receiver, 2);
    await settled();
    const other = await createOf(app, user, 'Other');
    const late = { started_at: '2026-02-02T08:00:00Z', duration_seconds: 60, note: 'Waits' };
    await app.as(user).post(`/api/projects/${other}/sessions`, late).expect(201);
    await as().delete(`/api/admin/users/${user.id}`).expect(200);
    await runJob(app, 'delete old webhook deliveries');
    expect(await notes()).toEqual(['Waits', 'Of somebody else']);
    await arrived(receiver, 3);
    await settled();
    await runJob(app, 'delete old webhook deliveries');
    expect(await notes()).toEqual(['Of somebody else']);
  });

  test('to a slow receiver does not delay others', async () => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = await startReceiver(() => released.then(() => 204));
    const quick = await startReceiver();
    await createWebhook(slow.url);
    await createWebhook(quick.url);
    for (const name of ['One', 'Two', 'Three', 'Four', 'Five', 'Six']) await createProject(name);
    await arrived(quick, 6);
    expect(slow.received.length).toBeLessThanOrEqual(3);
    release();
    await arrived(slow, 6);
    await settled();
  });

  test('fails after a day, and can be replayed with the same id', async () => {
    const receiver = await startReceiver(() => 500);
    const { id } = await createWebhook(receiver.url);
    await createProject('Rings');
    await attempt(receiver);
    advance(25 * hour);
    await until(async () => (await deliveries(id))[0]?.['state'] === 'failed');
    const [given] = await deliveries(id);
    receiver.respondWith(() => 204);
    const replayed = await as().post(`${base}/${id}/deliveries/${given?.['id']}/replay`).expect(200);
    expect(replayed.body.data.state).toBe('waiting');
    await as().post(`${base}/${id}/deliveries/${given?.['id']}/replay`).expect(409);
    await attempt(receiver);
    expect(new Set(receiver.received.map((received) => received.id)).size).toBe(1);
    await as().post(`${base}/${id}/deliveries/999999/replay`).expect(404);
  });

  test('can be triggered by a ping', async () => {
    const receiver = await startReceiver();
    const { id } = await createWebhook(receiver.url);
    await as().post(`${base}/${id}/ping`).expect(201);
    await arrived(receiver, 1);
    expect(receiver.received[0]?.event).toMatchObject({ type: 'ping', data: { webhook_id: id } });
    await as().put(`${base}/${id}`, { active: false }).expect(200);
    await as().post(`${base}/${id}/ping`).expect(409);
    await as().post(`${base}/999999/ping`).expect(404);
    await settled();
  });

  test('has the signatures of both secrets for a day after a rotation', async () => {
    const receiver = await startReceiver();
    const { id, secret } = await createWebhook(receiver.url);
    const next = (await as().post(`${base}/${id}/rotate-secret`).expect(200)).body.data.secret;
    expect(next).not.toBe(secret);
    await createProject('One');
    await arrived(receiver, 1);
    await app.query('UPDATE webhooks SET previous_expires_at = $1', [clock().toISOString()]);
    await createProject('Two');
    await arrived(receiver, 2);
    const signatures = receiver.received.map(({ headers }) => String(headers['webhook-signature']).split(' ').length);
    expect(signatures).toEqual([2, 1]);
    await settled();
  });
});

describe('deactivation', () => {
  test('after 20 consecutive failures, which take most of a day, with a mail to administrators', async () => {
    const settings = { WEBHOOK_TARGETS: 'any', SMTP_URL: 'smtp://127.0.0.1:1' };
    const withMail = await startTestApp({ databaseUrl: app.databaseUrl, clock, settings });
    const receiver = await startReceiver(() => 500);
    const { id } = await createWebhook(receiver.url);
    const start = clock().getTime();
    for (let failure = 1; failure <= 20; failure += 1) {
      await createProject(`Project ${failure}`);
      await expect
        .poll(async () => {
          await runJob(withMail, 'deliver webhooks');
          return receiver.received.length;
        })
        .toBe(failure);
      await settled();
      advance(Math.min(5 * 2 ** (failure - 1), 7200) * 1000);
    }
    expect((clock().getTime() - start) / hour).toBeGreaterThan(20);
    const { body } = await as().get(`${base}/${id}`).expect(200);
    expect(body.data).toMatchObject({ active: false, disabled_reason: 'failures', failures: 20 });
    expect(await app.query(`SELECT 1 FROM background_jobs WHERE kind = 'mail'`)).toHaveLength(1);
    await createProject('Unrecorded');
    expect((await deliveries(id)).every(({ data }) => (data as { name: string }).name !== 'Unrecorded')).toBe(true);

    receiver.respondWith(() => 204);
    const on = (await as().put(`${base}/${id}`, { active: true }).expect(200)).body.data;
    expect(on).toMatchObject({ active: true, disabled_reason: null, failures: 0, paused_until: null });
    const before = receiver.received.length;
    await arrived(receiver, before + 1);
    await settled();
    await withMail.stop();
  });

  test('never for a full queue: recording pauses, and the receiver learns for which time it has no events', async () => {
    const receiver = await startReceiver();
    const { id } = await createWebhook(receiver.url);
    const watch = () => runJob(app, 'watch the queues of webhooks');
    const fillQueue = (count: number) =>
      app.query(
        `INSERT INTO background_jobs (kind, queue, payload, created_at, next_at)
         SELECT 'webhook_delivery', $1, '{"delivery_id": 0}', now(), now() + interval '1 day' FROM generate_series(1, $2)`,
        [`${id}`, count],
      );
    const shown = async () => (await as().get(`${base}/${id}`)).body.data;
    await fillQueue(19_998);
    await createProject('Almost');
    await watch();
    expect(await shown()).toMatchObject({ active: true, skips_since: null, waiting: 19_999 });
    await createProject('Full');
    await as().post(`${base}/${id}/ping`).expect(409);
    await watch();
    const from = clock().toISOString();
    expect(await shown()).toMatchObject({ active: true, disabled_reason: null, skips_since: from, waiting: 20_000 });
    await createProject('Unrecorded');
    expect(await deliveries(id)).toHaveLength(2);

    await app.query(`DELETE FROM background_jobs WHERE id IN (
      SELECT id FROM background_jobs WHERE payload ->> 'delivery_id' = '0' LIMIT 10000)`);
    await watch();
    expect((await shown()).skips_since).toBe(from);
    advance(60_000);
    await attempt(receiver);
    await watch();
    expect(await shown()).toMatchObject({ active: true, skips_since: null });
    await createProject('After');
    const data = { webhook_id: id, from, until: clock().toISOString() };
    const [after, skipped, ...before] = await deliveries(id);
    expect(after).toMatchObject({ type: 'project.created', data: { name: 'After' } });
    expect(skipped).toMatchObject({ type: 'events.skipped', object: `webhook:${id}`, data });
    expect(before).toMatchObject([{ data: { name: 'Full' } }, { data: { name: 'Almost' } }]);
  });

  test('deliveries to an inactive webhook fail after a day; old deliveries are deleted after 30', async () => {
    const receiver = await startReceiver();
    const { id } = await createWebhook(receiver.url);
    await createProject('Rings');
    await as().put(`${base}/${id}`, { active: false }).expect(200);
    advance(25 * hour);
    await runJob(app, 'give up deliveries of inactive webhooks');
    expect(await deliveries(id)).toMatchObject([{ state: 'failed', error_code: 'EXPIRED' }]);
    expect(receiver.received).toEqual([]);
    advance(30 * 24 * hour);
    await runJob(app, 'delete old webhook deliveries');
    expect(await deliveries(id)).toEqual([]);
  });
});
