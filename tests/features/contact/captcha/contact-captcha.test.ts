import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drawCaptcha } from '../../../../src/features/contact/captcha/captcha-rendering.ts';
import { RateLimitedError } from '../../../../src/texts/errors.ts';
import { contactFields, contactSettings, getCaptcha, post, runJob } from '../../../support/contact.ts';
import { createTestClock, startTestApp, type TestApp } from '../../../support/test-app.ts';

const clock = createTestClock();
const foreign = 'https://app.example.org';
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ settings: { ...contactSettings, CORS_ORIGINS: foreign }, clock });
});
afterAll(() => app.stop());

function expectWrongCaptcha(body: { errors: { field: string }[] }) {
  expect(body.errors.map((error) => error.field)).toEqual(['captcha']);
}

describe('getting a captcha', () => {
  test('returns an image as a data URL, an id and the validity in seconds', async () => {
    const response = await app.anonymous.get('/api/contact/captcha').expect(200);
    const { captcha_id, image, expires_in, answer: text } = response.body.data;
    expect(captcha_id).toMatch(/^[\w-]{22}$/);
    expect(expires_in).toBe(300);
    expect(text).toMatch(/^[A-Z0-9]{4}$/);
    expect(text).not.toMatch(/[01OIL]/);
    expect(response.headers['cache-control']).toBe('no-store');

    const png = Buffer.from(image.replace('data:image/png;base64,', ''), 'base64');
    const { format, width, height } = await sharp(png).metadata();
    expect({ format, width, height }).toEqual({ format: 'png', width: 360, height: 120 });
  });

  test('returns the image itself for an <img>, identified by the cookie', async () => {
    const response = await app.anonymous.get('/api/contact/captcha').set('Accept', 'image/avif,image/*,*/*;q=0.8');
    expect(response.status).toBe(200);
    expect(response.headers['content-type']).toBe('image/png');
    expect(response.headers['set-cookie']).toHaveLength(1);
    expect((await sharp(response.body as Buffer).metadata()).format).toBe('png');
  });

  test('the cookie is restricted to the contact form', async () => {
    const response = await app.anonymous.get('/api/contact/captcha').set('Origin', 'https://other.example.org');
    const cookie = `captcha_id=${response.body.data.captcha_id}; Max-Age=300; Path=/api/contact; HttpOnly; SameSite=Lax`;
    expect(response.headers['set-cookie']).toEqual([cookie]);
  });

  test('the cookie is sent cross-site for an allowed origin', async () => {
    const response = await app.anonymous.get('/api/contact/captcha').set('Origin', foreign);
    expect(response.headers['set-cookie']?.[0]).toMatch(/; HttpOnly; Secure; SameSite=None$/);
    expect(response.headers['access-control-allow-origin']).toBe(foreign);
    expect(response.headers['access-control-allow-credentials']).toBe('true');
  });

  test('the answer is neither in the response nor in the database', async () => {
    const closed = await startTestApp({ databaseUrl: app.databaseUrl });
    const response = await closed.anonymous.get('/api/contact/captcha').expect(200);
    await closed.stop();
    expect(Object.keys(response.body.data).sort()).toEqual(['captcha_id', 'expires_in', 'image']);
    const { captcha_id, answer: text } = await getCaptcha(app);
    const [row] = await app.query<object>('SELECT * FROM contact_captchas WHERE id = $1', [captcha_id]);
    expect(JSON.stringify(row)).not.toContain(text);
  });
});

describe('solving a captcha', () => {
  test('accepts id in body or cookie, either case and full width', async () => {
    const byBody = await getCaptcha(app);
    await post(app, contactFields({ captcha: byBody.answer.toLowerCase(), captcha_id: byBody.captcha_id })).expect(201);

    const byCookie = await getCaptcha(app);
    const wide = [...byCookie.answer].map((letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0));
    await post(app, contactFields({ captcha: wide.join(''), captcha_id: '' }))
      .set('Cookie', `theme=dark; captcha_id=${byCookie.captcha_id}; other=1`)
      .expect(201);
  });

  test('a right answer consumes it', async () => {
    const { captcha_id, answer } = await getCaptcha(app);
    await post(app, contactFields({ captcha: answer, captcha_id })).expect(201);
    expectWrongCaptcha((await post(app, contactFields({ captcha: answer, captcha_id })).expect(400)).body);
  });

  test('a wrong answer consumes it, which prevents guessing', async () => {
    const { captcha_id, answer } = await getCaptcha(app);
    expectWrongCaptcha((await post(app, contactFields({ captcha: '0000', captcha_id })).expect(400)).body);
    expectWrongCaptcha((await post(app, contactFields({ captcha: answer, captcha_id })).expect(400)).body);
  });

  test('of twenty concurrent answers one is accepted', async () => {
    const { captcha_id, answer } = await getCaptcha(app);
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => post(app, contactFields({ captcha: answer, captcha_id }))),
    );
    expect(responses.filter((response) => response.status === 201)).toHaveLength(1);
    expect(responses.filter((response) => response.status === 400)).toHaveLength(19);
  });

  test('invalid fields do not consume it', async () => {
    const { captcha_id, answer } = await getCaptcha(app);
    await post(app, contactFields({ captcha: answer, captcha_id, name: 'x' })).expect(400);
    await post(app, contactFields({ captcha: answer, captcha_id })).expect(201);
  });

  test('an answer of another captcha, without an id, or with an unknown id is wrong', async () => {
    const [one, other] = [await getCaptcha(app), await getCaptcha(app)];
    const mixed = { captcha: one.answer === other.answer ? '0000' : one.answer, captcha_id: other.captcha_id };
    expectWrongCaptcha((await post(app, contactFields(mixed)).expect(400)).body);
    expectWrongCaptcha((await post(app, contactFields({ captcha: one.answer })).expect(400)).body);
    for (const captcha_id of ['x', '', '\u0000', "' OR true --", 'é'.repeat(50)])
      expectWrongCaptcha((await post(app, contactFields({ captcha: one.answer, captcha_id })).expect(400)).body);
    await post(app, contactFields({ captcha: one.answer, captcha_id: 'é'.repeat(5000) })).expect(400);
    await post(app, contactFields({ captcha: one.answer, captcha_id: 5 })).expect(400);
    await post(app, contactFields({ captcha: one.answer, captcha_id: one.captcha_id })).expect(201);
  });

  test('expires after five minutes, and is then deleted', async () => {
    const late = await getCaptcha(app);
    clock.advance(300_000);
    expectWrongCaptcha((await post(app, contactFields({ captcha: late.answer, captcha_id: late.captcha_id }))).body);

    const expired = await getCaptcha(app);
    const used = await getCaptcha(app);
    clock.advance(299_999);
    await post(app, contactFields({ captcha: used.answer, captcha_id: used.captcha_id })).expect(201);
    const fresh = await getCaptcha(app);
    clock.advance(1);
    await runJob(app, 'purge expired captchas');
    const left = (await app.query<{ id: string }>('SELECT id FROM contact_captchas')).map((row) => row.id);
    expect(left).toContain(fresh.captcha_id);
    expect(left).not.toContain(expired.captcha_id);
  });

  test('is accepted by another process', async () => {
    const other = await startTestApp({ databaseUrl: app.databaseUrl, settings: contactSettings, clock });
    const { captcha_id, answer } = await getCaptcha(app);
    await post(other, contactFields({ captcha: answer, captcha_id })).expect(201);
    await other.stop();
  });
});

describe('the flood limit', () => {
  test('rejects further requests of an address, in the response format of the contact endpoints', async () => {
    const limited = await startTestApp({
      databaseUrl: app.databaseUrl,
      settings: { ...contactSettings, CONTACT_FLOOD_PER_MINUTE: '3' },
    });
    const request = (address: string) => limited.anonymous.get('/api/contact/captcha').set('X-Forwarded-For', address);
    for (let i = 0; i < 3; i += 1) await request('203.0.113.9').expect(200);
    const rejected = await request('203.0.113.9').expect(429);
    expect(rejected.body).toEqual({ success: false, message: expect.any(String), code: 'RATE_LIMITED' });
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0);
    expect(rejected.headers['ratelimit']).toContain('r=0');
    await request('203.0.113.10').expect(200);

    for (let i = 0; i < 3; i += 1) await post(limited, {}, '203.0.113.9').expect(400);
    await post(limited, {}, '203.0.113.9').expect(429);
    await limited.stop();
  });
});

test('a caller’s queue of captchas is bounded, and other callers are served fairly', async () => {
  const order: string[] = [];
  const draw = (caller: string) => drawCaptcha('K7PW', caller).then(() => order.push(caller));
  const flood = Promise.allSettled(Array.from({ length: 60 }, () => draw('address 203.0.113.9')));
  await draw('address 203.0.113.10');
  expect(order.length).toBeLessThan(5);
  const rejected = (await flood).filter((outcome) => outcome.status === 'rejected');
  expect(rejected).toHaveLength(39);
  expect(new Set(rejected.map(({ reason }) => reason.constructor))).toEqual(new Set([RateLimitedError]));
});

describe('fields far beyond their limits', () => {
  test.each([
    ['captcha', 'A'.repeat(17)],
    ['captcha', `a${'\u0301\u0316'.repeat(20_000)}`],
    ['captcha_id', 'A'.repeat(65)],
    ['phone', ' '.repeat(65)],
  ])('%s', async (field, value) => {
    const fields = contactFields({ captcha: 'AAAA', [field]: value });
    const response = await post(app, fields).expect(400);
    expect(response.body.errors.map((error: { field: string }) => error.field)).toEqual([field]);
  });
});
