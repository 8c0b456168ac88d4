import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contactFields, contactSettings, getCaptcha, newAddress, post, submit } from '../../../support/contact.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

const clock = createTestClock(new Date('2026-02-01T08:00:00.123Z'));
let app: TestApp;
let admin: TestUser;
beforeAll(async () => {
  app = await startTestApp({ settings: contactSettings, clock });
  admin = await app.createUser({ role: 'admin' });
});
afterAll(() => app.stop());

async function readRequest(id: number) {
  return (await app.as(admin).get(`/api/admin/contact-requests/${id}`).expect(200)).body.data;
}

async function countAttempts(): Promise<number> {
  const [row] = await app.query<{ count: number }>('SELECT count(*) AS count FROM contact_attempts');
  return row?.count ?? 0;
}

describe('a submission', () => {
  test('returns its number and location', async () => {
    const response = await submit(app);
    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      success: true,
      message: 'Your request has been received. An administrator will reply within 24 hours.',
      requestId: expect.any(Number),
    });
    expect(response.headers['location']).toBe(`/api/admin/contact-requests/${response.body.requestId}`);
  });

  test('is stored with IP address, user agent and millisecond timestamp, and no unknown fields', async () => {
    const { captcha_id, answer } = await getCaptcha(app);
    const fields = contactFields({
      name: '  林小雨 ',
      email: ' Lin.Wei@Example.ORG ',
      phone: null,
      message: ' 您好，\n我想注册一个账号。 ',
    });
    const response = await post(
      app,
      { ...fields, captcha: answer, captcha_id, id: 7, status: 'resolved' },
      '203.0.113.5',
    )
      .set('User-Agent', 'a browser')
      .expect(201);
    expect(await readRequest(response.body.requestId)).toEqual({
      id: response.body.requestId,
      name: '林小雨',
      email: 'Lin.Wei@Example.ORG',
      subject: 'technical_support',
      message: '您好，\n我想注册一个账号。',
      status: 'pending',
      admin_note: null,
      handled_by: null,
      overdue: false,
      earlier_requests: [],
      etag: expect.stringMatching(/^"\d+"$/),
      ip_address: '203.0.113.5',
      user_agent: 'a browser',
      created_at: '2026-02-01T08:00:00.123Z',
      updated_at: '2026-02-01T08:00:00.123Z',
    });
  });

  test('stores at most 512 characters of the user agent, or "" if there is none', async () => {
    const long = await submit(app, {}, '203.0.113.6');
    expect((await readRequest(long.body.requestId)).user_agent).toBe('');
    const { captcha_id, answer } = await getCaptcha(app);
    const sent = post(app, contactFields({ captcha: answer, captcha_id })).set('User-Agent', 'x'.repeat(3000));
    expect((await readRequest((await sent).body.requestId)).user_agent).toBe('x'.repeat(512));
  });

  test('returns text unchanged: markup, quotes, formulas', async () => {
    const message = `<script>alert('1')</script> "&amp; {{7*7}} =SUM(A1) \\n '; DROP TABLE contact_requests; --`;
    const { body } = await submit(app, { message, name: '<b>Lin</b>' });
    const response = await app.as(admin).get(`/api/admin/contact-requests/${body.requestId}`).expect(200);
    expect(response.body.data).toMatchObject({ message, name: '<b>Lin</b>' });
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(response.headers['x-content-type-options']).toBe('nosniff');
  });

  test.each([
    '13800138000',
    '138 0013 8000',
    '138-0013-8000',
    '+8613800138000',
    '+86 138-0013-8000',
    '008613800138000',
    '8613800138000',
    ' 13800138000 ',
    '１３８００１３８０００',
    '(+86)13800138000',
  ])('accepts the phone number %j', async (phone) => {
    const { body } = await submit(app, { phone });
    expect((await readRequest(body.requestId)).phone).toBe('13800138000');
  });

  test.each([null, '', '  ', undefined])('stores no phone number for %j', async (phone) => {
    const { body } = await submit(app, { phone });
    expect(await readRequest(body.requestId)).not.toHaveProperty('phone');
  });
});

describe('the fields', () => {
  const bad: [string, unknown][] = [
    ['name', 'x'],
    ['name', ' x '],
    ['name', 'x'.repeat(51)],
    ['name', '😀'.repeat(51)],
    ['name', 'a\nb'],
    ['name', 'a\u0000b'],
    ['name', 5],
    ['name', undefined],
    ['email', 'nobody'],
    ['email', 'a@b'],
    ['email', 'a b@example.org'],
    ['email', `${'a'.repeat(250)}@example.org`],
    ['email', null],
    ['email', ['a@example.org']],
    ['phone', '12800138000'],
    ['phone', '1380013800'],
    ['phone', '138001380001'],
    ['phone', '+1 13800138000'],
    ['phone', 13800138000],
    ['subject', 'hello'],
    ['subject', undefined],
    ['message', ''],
    ['message', '   '],
    ['message', 'x'.repeat(1001)],
    ['message', 'lone \ud800 surrogate'],
    ['message', undefined],
    ['captcha', 'AB1'],
    ['captcha', 'AB123'],
    ['captcha', 'A B1'],
    ['captcha', 1234],
    ['captcha', undefined],
  ];
  test.each(bad)('%s cannot be %j', async (field, value) => {
    const { body } = await post(app, contactFields({ captcha: 'ABCD', [field]: value })).expect(400);
    expect(body).toEqual({
      success: false,
      code: 'VALIDATION_ERROR',
      message: body.errors[0].msg,
      errors: [{ field, msg: expect.stringContaining(field) }],
    });
  });

  test.each([
    ['name', 'xy'],
    ['name', 'x'.repeat(50)],
    ['name', '😀'.repeat(50)],
    ['name', '雨'.repeat(2)],
    ['message', '好'],
    ['message', '好'.repeat(1000)],
    ['message', '😀'.repeat(1000)],
    ['subject', 'account_registration'],
    ['subject', 'password_reset'],
    ['subject', 'feature_request'],
    ['subject', 'other'],
  ])('%s can be %j', async (field, value) => {
    const { status, body } = await submit(app, { [field]: value });
    expect(status).toBe(201);
    expect((await readRequest(body.requestId))[field]).toBe(value);
  });

  test('all invalid fields are reported at once, and the message lists them', async () => {
    const { body } = await post(app, { name: '', email: 'x', phone: '1', subject: 'y', message: '' }).expect(400);
    expect(body.errors.map((error: { field: string }) => error.field)).toEqual([
      'name',
      'email',
      'phone',
      'subject',
      'message',
      'captcha',
    ]);
    expect(body.message).toBe(body.errors.map((error: { msg: string }) => error.msg).join('; '));
  });

  test('errors are in Chinese for a Chinese reader', async () => {
    const { body } = await post(app, {}).set('Accept-Language', 'zh-CN').expect(400);
    expect(body.errors[0]).toEqual({ field: 'name', msg: 'name 为必填项' });
  });

  test('invalid fields do not count as an attempt', async () => {
    const before = await countAttempts();
    const fields = contactFields({ captcha: 'ABCD', name: 'x' });
    const address = newAddress();
    for (let i = 0; i < 7; i += 1) await post(app, fields, address).expect(400);
    expect(await countAttempts()).toBe(before);
    expect((await submit(app, { email: fields.email }, address)).status).toBe(201);
  });
});

describe('the order of checks', () => {
  const spam = '加我微信，兼职刷单日赚三百，赌博稳赢';

  test('fields before captcha, captcha before spam, spam before limits', async () => {
    const fieldError = await post(app, contactFields({ name: 'x', captcha: '0000', message: spam })).expect(400);
    expect(fieldError.body.errors.map((error: { field: string }) => error.field)).toEqual(['name']);
    const captchaError = await post(app, contactFields({ captcha: '0000', message: spam })).expect(400);
    expect(captchaError.body.errors.map((error: { field: string }) => error.field)).toEqual(['captcha']);

    const email = 'order@example.org';
    expect((await submit(app, { email })).status).toBe(201);
    const spamError = await submit(app, { email, message: spam });
    expect(spamError.body.errors.map((error: { field: string }) => error.field)).toEqual(['message']);
    expect((await submit(app, { email })).status).toBe(429);
  });

  test('spam in name and message is reported by family, without the word', async () => {
    const { status, body } = await submit(app, { name: '赌博网站', message: spam });
    expect(status).toBe(400);
    expect(body.errors.map((error: { field: string }) => error.field)).toEqual(['name', 'message']);
    expect(body.message).toContain('spam');
    expect(JSON.stringify(body)).not.toMatch(/赌博|微信|刷单/);
  });

  test('spam consumes the captcha, is not stored and does not count as an attempt', async () => {
    const before = await countAttempts();
    const { captcha_id, answer } = await getCaptcha(app);
    const fields = contactFields({ captcha: answer, captcha_id });
    const address = newAddress();
    await post(app, { ...fields, message: spam }, address).expect(400);
    const again = await post(app, fields, address).expect(400);
    expect(again.body.errors[0].field).toBe('captcha');
    expect(await countAttempts()).toBe(before);
    expect((await submit(app, { email: fields.email }, address)).status).toBe(201);
  });
});

describe('other errors', () => {
  test.each([
    ['broken JSON', '{"name":', 'application/json', 400],
    ['another content type', 'name=x', 'application/x-www-form-urlencoded', 400],
    ['an array', '[1]', 'application/json', 400],
    ['a body that is too large', JSON.stringify({ message: 'x'.repeat(200_000) }), 'application/json', 400],
  ])('%s returns the error format of the contact endpoints', async (_, body, type, status) => {
    const response = await app.anonymous.post('/api/contact/submit').set('Content-Type', type).send(body);
    expect(response.status).toBe(status);
    expect(response.body).toMatchObject({ success: false, message: expect.any(String), code: expect.any(String) });
    expect(response.body).not.toHaveProperty('error');
  });

  test('unknown paths and methods return it, too', async () => {
    for (const response of [
      await app.anonymous.get('/api/contact/nowhere'),
      await app.anonymous.get('/api/contact/submit'),
      await app.anonymous.get('/api/admin/contact-requests/1/2/3'),
    ]) {
      expect(response.status).toBe(404);
      expect(response.body).toMatchObject({ success: false, message: expect.any(String) });
      expect(response.body).not.toHaveProperty('error');
    }
  });

  test('an unreachable database returns it, too', async () => {
    const unreachable = await startTestApp({
      databaseUrl: 'postgres://postgres@127.0.0.1:1/none',
      settings: contactSettings,
    });
    const fields = contactFields({ captcha: 'abcd', captcha_id: '0190a2b4-0000-7000-8000-000000000000' });
    const response = await post(unreachable, fields, newAddress()).expect(500);
    expect(response.body).toMatchObject({ success: false, code: 'SERVICE_UNAVAILABLE' });
    expect(response.headers['retry-after']).toBeDefined();
    await unreachable.stop();
  });
});
