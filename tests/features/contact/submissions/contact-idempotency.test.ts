import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contactFields, contactSettings, getCaptcha, newAddress, post } from '../../../support/contact.ts';
import { startTestApp, type TestApp } from '../../../support/test-app.ts';

let app: TestApp;
let other: TestApp;
beforeAll(async () => {
  app = await startTestApp({ settings: contactSettings });
  other = await startTestApp({ settings: contactSettings, databaseUrl: app.databaseUrl });
});
afterAll(async () => {
  await other.stop();
  await app.stop();
});

let keys = 0;
function newKey(): string {
  keys += 1;
  return `key-${keys}`;
}

async function fieldsWithCaptcha(given: object = {}) {
  const { captcha_id, answer } = await getCaptcha(app);
  return contactFields({ captcha: answer, captcha_id, ...given });
}

async function rowsOf(email: string): Promise<{ requests: number; attempts: number }> {
  const [row] = await app.query<{ requests: number; attempts: number }>(
    `SELECT (SELECT count(*) FROM contact_requests WHERE email = $1) AS requests,
      (SELECT count(*) FROM contact_attempts WHERE email = $1) AS attempts`,
    [email],
  );
  return row ?? { requests: 0, attempts: 0 };
}

describe('a repeated submission with an Idempotency-Key', () => {
  test('returns the first response again, needs no new captcha and does not count', async () => {
    const [fields, address, key] = [await fieldsWithCaptcha(), newAddress(), newKey()];
    const first = await post(app, fields, address).set('Idempotency-Key', key).expect(201);
    for (const process of [app, other, app, other, app, other]) {
      const again = await post(process, fields, address).set('Idempotency-Key', key).expect(201);
      expect(again.body).toEqual(first.body);
      expect(again.headers['location']).toBe(first.headers['location']);
      expect(again.headers['idempotent-replayed']).toBe('true');
    }
    expect(await rowsOf(fields.email)).toEqual({ requests: 1, attempts: 1 });
  });

  test('sent concurrently to two processes creates one contact request', async () => {
    const [fields, address, key] = [await fieldsWithCaptcha(), newAddress(), newKey()];
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        post(i % 2 === 0 ? app : other, fields, address).set('Idempotency-Key', key),
      ),
    );
    expect(responses.map((response) => response.status)).toEqual(Array(12).fill(201));
    expect(new Set(responses.map((response) => response.body.requestId)).size).toBe(1);
    expect(await rowsOf(fields.email)).toEqual({ requests: 1, attempts: 1 });
  });

  test('with another body is rejected', async () => {
    const [fields, address, key] = [await fieldsWithCaptcha(), newAddress(), newKey()];
    await post(app, fields, address).set('Idempotency-Key', key).expect(201);
    const response = await post(app, { ...fields, message: 'Another' }, address)
      .set('Idempotency-Key', key)
      .expect(400);
    expect(response.body).toMatchObject({ success: false, code: 'IDEMPOTENCY_MISMATCH' });
  });

  test('may be retried after a rejection, whose effects persist', async () => {
    const [wrong, address, key] = [await fieldsWithCaptcha({ captcha: '0000' }), newAddress(), newKey()];
    await post(app, wrong, address).set('Idempotency-Key', key).expect(400);
    const [used] = await app.query('SELECT 1 FROM contact_captchas WHERE id = $1', [wrong.captcha_id]);
    expect(used).toBeUndefined();

    const right = await fieldsWithCaptcha({ email: wrong.email });
    await post(app, right, address).set('Idempotency-Key', key).expect(201);

    const duplicate = await fieldsWithCaptcha({ email: wrong.email });
    await post(app, duplicate, address).set('Idempotency-Key', newKey()).expect(429);
    expect(await rowsOf(wrong.email)).toEqual({ requests: 1, attempts: 2 });
  });

  test('with an invalid key does not consume the captcha', async () => {
    const fields = await fieldsWithCaptcha();
    const response = await post(app, fields).set('Idempotency-Key', 'two words').expect(400);
    expect(response.body.errors[0].field).toBe('Idempotency-Key');
    await post(app, fields).set('Idempotency-Key', newKey()).expect(201);
  });
});
