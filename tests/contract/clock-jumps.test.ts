import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAccount, signIn } from '../support/accounts.ts';
import { contactFields, contactSettings, getCaptcha, newAddress, post, submit } from '../support/contact.ts';
import { expectInvariants } from '../support/invariants.ts';
import { createTestClock, startTestApp, type TestApp } from '../support/test-app.ts';

const noon = new Date('2026-06-15T12:00:00.000Z');
const day = 86_400_000;
const jumps = [
  ['a day forward', day],
  ['a year back', -365 * day],
  ['a year forward', 365 * day],
] as const;

const clock = createTestClock(noon);
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ settings: contactSettings, clock });
});
afterAll(() => app.stop());
beforeEach(() => clock.set(noon));

describe.each(jumps)('when the clock jumps %s', (_name, jump) => {
  test('tokens stay valid until they expire, and signing in issues new ones', async () => {
    const account = await createAccount(app);
    const before = await signIn(app, account);
    clock.advance(jump);
    await app
      .as(before)
      .get('/api/auth/me')
      .expect(jump > 0 ? 401 : 200);
    await app.anonymous
      .post('/api/auth/refresh', { refresh_token: before.refresh_token })
      .expect(jump > 30 * day ? 401 : 200);
    const after = await signIn(app, account);
    await app.as(after).get('/api/auth/me').expect(200);
    clock.set(noon);
    await signIn(app, account);
  });

  test('a running timer can be stopped, and earlier records still count', async () => {
    const account = await createAccount(app);
    let user = await signIn(app, account);
    const project = (await app.as(user).post('/api/projects', { name: 'Algebra' }).expect(201)).body.data.id;
    const record = { started_at: '2026-06-15T08:00:00Z', duration_seconds: 3600 };
    await app.as(user).post(`/api/projects/${project}/sessions`, record).expect(201);
    await app.as(user).post('/api/timer/start', { project_id: project }).expect(201);
    clock.advance(jump);
    user = await signIn(app, account);
    const stopped = await app.as(user).post('/api/timer/stop');
    expect(stopped.status, stopped.text).toBeOneOf([200, 409]);
    expect((await app.as(user).get('/api/timer').expect(200)).body.data).toBeNull();
    const { body } = await app.as(user).get(`/api/projects/${project}/stats`).expect(200);
    expect(body.data.total_hours).toBeGreaterThanOrEqual(1);
    expect(body.data.total_hours).toBeLessThanOrEqual(13);
    await app.as(user).get('/api/stats').expect(200);
    await app.as(user).post('/api/timer/start', { project_id: project }).expect(201);
    await app.as(user).post('/api/timer/stop').expect(200);
    await expectInvariants(app);
  });

  test('failed sign-ins expire', async () => {
    const account = await createAccount(app);
    const address = newAddress();
    const guess = () =>
      app.anonymous.post('/api/auth/login', { ...account, password: 'a wrong one' }).set('X-Forwarded-For', address);
    for (let count = 0; count < 10; count += 1) await guess().expect(401);
    await guess().expect(429);
    clock.advance(jump);
    const response = await guess();
    if (response.status === 429) expect(Number(response.headers['retry-after'])).toBeLessThanOrEqual(15 * 60);
    clock.advance(15 * 60_000);
    await signIn(app, account);
  });

  test('contact submissions expire', async () => {
    const [address, email] = [newAddress(), 'clock@example.org'];
    const fields = async () => {
      const { captcha_id, answer } = await getCaptcha(app);
      return contactFields({ captcha_id, captcha: answer, email });
    };
    await app.query('DELETE FROM contact_attempts');
    expect((await post(app, await fields(), address)).status).toBe(201);
    expect((await post(app, await fields(), address)).status).toBe(429);
    clock.advance(jump);
    const again = await post(app, await fields(), address);
    expect(again.status).toBeOneOf([201, 429]);
    if (again.status === 429) expect(Number(again.headers['retry-after'])).toBeLessThanOrEqual(3600);
    clock.advance(3_600_000);
    expect((await post(app, await fields(), address)).status).toBe(201);
  });

  test('a captcha can be solved unless it has expired', async () => {
    const { captcha_id, answer } = await getCaptcha(app);
    clock.advance(jump);
    const late = await post(app, contactFields({ captcha_id, captcha: answer }));
    expect(late.status).toBe(jump > 0 ? 400 : 201);
    expect((await submit(app)).status).toBe(201);
  });

  test('a contact request can be advanced, and lists and jobs still work', async () => {
    const id = (await submit(app)).body.requestId;
    clock.advance(jump);
    const admin = await app.createUser({ role: 'admin' });
    await app.as(admin).put(`/api/admin/contact-requests/${id}/status`, { status: 'reviewed' }).expect(200);
    for (const path of [
      '/api/admin/contact-requests',
      '/api/projects',
      '/api/sessions',
      '/api/admin/audit',
      '/api/stats',
    ])
      await app.as(admin).get(path).expect(200);
    for (const job of app.container.jobs) await job.run();
    await expectInvariants(app);
  });
});
