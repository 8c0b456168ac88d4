import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { contactSettings, getCaptcha, newAddress, post, runJob, submit } from '../../../support/contact.ts';
import { createTestClock, startTestApp, type TestApp } from '../../../support/test-app.ts';

const minute = 60_000;
const clock = createTestClock(new Date('2026-02-01T08:00:00.000Z'));
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ settings: contactSettings, clock });
});
afterAll(() => app.stop());
// Attempts of one test are outside the window of the next.
beforeEach(() => clock.advance(120 * minute));

let mails = 0;
function newEmail(): string {
  mails += 1;
  return `limited${mails}@example.org`;
}

function retryAfterOf(response: { headers: Record<string, string> }): number {
  return Number(response.headers['retry-after']);
}

describe('one request per hour per e-mail address', () => {
  test('rejects a second one until exactly one hour has passed', async () => {
    const email = newEmail();
    expect((await submit(app, { email })).status).toBe(201);
    clock.advance(10 * minute);
    const rejected = await submit(app, { email });
    expect(rejected.status).toBe(429);
    expect(rejected.body).toEqual({ success: false, code: 'RATE_LIMITED', message: expect.stringContaining('e-mail') });
    expect(retryAfterOf(rejected)).toBe(50 * 60);
    clock.advance(50 * minute - 1);
    const early = await submit(app, { email });
    expect([early.status, retryAfterOf(early)]).toEqual([429, 1]);
    clock.advance(1);
    expect((await submit(app, { email })).status).toBe(201);
  });

  test('ignores case and surrounding blanks', async () => {
    expect((await submit(app, { email: 'Same.Person@Example.org' })).status).toBe(201);
    for (const email of ['same.person@example.org', ' SAME.PERSON@EXAMPLE.ORG ', 'Same.Person@example.org'])
      expect((await submit(app, { email })).status).toBe(429);
  });

  test('applies even if the request is deleted', async () => {
    const email = newEmail();
    const first = await submit(app, { email });
    const admin = await app.createUser({ role: 'admin' });
    await app.as(admin).delete(`/api/admin/contact-requests/${first.body.requestId}`).expect(200);
    expect((await submit(app, { email })).status).toBe(429);
  });

  test('applies after a restart', async () => {
    const email = newEmail();
    const before = await startTestApp({ databaseUrl: app.databaseUrl, settings: contactSettings, clock });
    expect((await submit(before, { email })).status).toBe(201);
    await before.stop();
    const after = await startTestApp({ databaseUrl: app.databaseUrl, settings: contactSettings, clock });
    expect((await submit(after, { email })).status).toBe(429);
    await after.stop();
  });
});

describe('five requests per hour', () => {
  test('from one IP address, regardless of name and e-mail', async () => {
    const address = newAddress();
    for (let i = 0; i < 5; i += 1) {
      expect((await submit(app, {}, address)).status).toBe(201);
      clock.advance(minute);
    }
    const rejected = await submit(app, {}, address);
    expect([rejected.status, retryAfterOf(rejected)]).toEqual([429, 55 * 60]);
    expect((await submit(app)).status).toBe(201);
    // A request rejected by this limit does not extend the wait.
    clock.advance(55 * minute);
    expect((await submit(app, {}, address)).status).toBe(201);
    expect((await submit(app, {}, address)).status).toBe(429);
  });

  test('with one e-mail address from any IP address, including duplicates', async () => {
    const email = newEmail();
    const [early, late] = [email, newEmail()];
    expect((await submit(app, { email: early })).status).toBe(201);
    clock.advance(30 * minute);
    for (let i = 0; i < 4; i += 1) expect(retryAfterOf(await submit(app, { email }))).toBe(30 * 60);
    clock.advance(30 * minute);
    // The accepted one has left the window; of the five only the four duplicates remain.
    expect((await submit(app, { email })).status).toBe(201);
    // Now there are five, and the new one was accepted: the later of both ends applies.
    const rejected = await submit(app, { email });
    expect([rejected.status, retryAfterOf(rejected)]).toEqual([429, 60 * 60]);
    expect((await submit(app, { email: late })).status).toBe(201);
  });

  test('count duplicates for their IP address', async () => {
    const [address, email] = [newAddress(), newEmail()];
    expect((await submit(app, { email }, address)).status).toBe(201);
    for (let i = 0; i < 4; i += 1) expect((await submit(app, { email }, address)).status).toBe(429);
    expect((await submit(app, {}, address)).status).toBe(429);
  });

  test('do not count a wrong captcha', async () => {
    const [address, email] = [newAddress(), newEmail()];
    for (let i = 0; i < 6; i += 1) expect((await submit(app, { email, captcha: '0000' }, address)).status).toBe(400);
    expect((await submit(app, { email }, address)).status).toBe(201);
  });

  test('attempts outside the window are deleted', async () => {
    await submit(app);
    clock.advance(120 * minute + 1);
    await submit(app);
    await runJob(app, 'purge contact attempts');
    expect(await app.query('SELECT 1 FROM contact_attempts')).toHaveLength(1);
  });
});

describe('client addresses', () => {
  const fill = async (address: string) => {
    for (let i = 0; i < 5; i += 1) expect((await submit(app, {}, address)).status).toBe(201);
  };

  test('a /64 network counts as one address', async () => {
    await fill('2001:db8:1:2:aaaa::1');
    expect((await submit(app, {}, '2001:db8:1:2:bbbb:cccc:dddd:2')).status).toBe(429);
    expect((await submit(app, {}, '2001:0DB8:0001:0002::9')).status).toBe(429);
    expect((await submit(app, {}, '2001:db8:1:3::1')).status).toBe(201);
  });

  test('an IPv4-mapped IPv6 address is the IPv4 address', async () => {
    await fill('192.0.2.77');
    expect((await submit(app, {}, '::ffff:192.0.2.77')).status).toBe(429);
    expect((await submit(app, {}, '::ffff:c000:24d')).status).toBe(429);
    expect((await submit(app, {}, '192.0.2.78')).status).toBe(201);
  });

  test('with one trusted proxy, addresses sent by the client are ignored', async () => {
    await fill('192.0.2.80');
    expect((await submit(app, {}, '10.9.9.9, 192.0.2.80')).status).toBe(429);
  });

  test('an invalid address from a trusted proxy is replaced by that of the proxy', async () => {
    const { body } = await submit(app, {}, randomBytes(3000).toString('hex'));
    const [row] = await app.query<{ ip_address: string }>('SELECT ip_address FROM contact_requests WHERE id = $1', [
      body.requestId,
    ]);
    expect(row?.ip_address).toBe('127.0.0.1');
  });

  test('without a trusted proxy, headers are ignored', async () => {
    const settings = { ...contactSettings, TRUST_PROXY: '' };
    const withoutProxy = await startTestApp({ databaseUrl: app.databaseUrl, settings, clock });
    const forged = (i: number) => ({
      'X-Forwarded-For': `203.0.113.${i}`,
      'X-Real-IP': `203.0.113.${i}`,
      Forwarded: `for=203.0.113.${i}`,
      'X-Client-IP': `203.0.113.${i}`,
      'CF-Connecting-IP': `203.0.113.${i}`,
      'True-Client-IP': `203.0.113.${i}`,
    });
    for (let i = 0; i < 6; i += 1) {
      const { body } = await withoutProxy.anonymous.get('/api/contact/captcha').set(forged(i)).expect(200);
      const fields = { name: 'Lin Wei', email: newEmail(), subject: 'other', message: 'Hello' };
      const captcha = { captcha: body.data.answer, captcha_id: body.data.captcha_id };
      const response = await withoutProxy.anonymous
        .post('/api/contact/submit', { ...fields, ...captcha })
        .set(forged(i));
      expect(response.status).toBe(i < 5 ? 201 : 429);
    }
    const rows = await app.query<{ ip_address: string }>(
      'SELECT ip_address FROM contact_requests ORDER BY id DESC LIMIT 5',
    );
    expect(rows.every((row) => row.ip_address === '127.0.0.1')).toBe(true);
    await withoutProxy.stop();
  });
});

describe('concurrent requests in two processes', () => {
  let other: TestApp;
  beforeEach(async () => {
    other = await startTestApp({ databaseUrl: app.databaseUrl, settings: contactSettings, clock });
  });
  afterEach(() => other.stop());

  /** Fifty concurrent requests, alternating between processes, with captchas fetched from the other one. */
  async function sendFifty(fields: (i: number) => object, address: (i: number) => string) {
    const captchas: Awaited<ReturnType<typeof getCaptcha>>[] = [];
    for (let i = 0; i < 50; i += 1) captchas.push(await getCaptcha(i % 2 === 0 ? app : other));
    const responses = await Promise.all(
      captchas.map(({ captcha_id, answer }, i) => {
        const body = { name: 'Lin Wei', subject: 'other', message: 'Hello', captcha: answer, captcha_id, ...fields(i) };
        return post(i % 2 === 0 ? other : app, body, address(i));
      }),
    );
    return responses.map((response) => response.status).sort();
  }

  const expected = (accepted: number) => [...Array(accepted).fill(201), ...Array(50 - accepted).fill(429)];

  test('one per e-mail address is accepted', async () => {
    const email = newEmail();
    expect(await sendFifty(() => ({ email }), newAddress)).toEqual(expected(1));
    expect(await app.query('SELECT 1 FROM contact_requests WHERE email = $1', [email])).toHaveLength(1);
    // Five passed the limit of attempts and were counted.
    expect(await app.query('SELECT 1 FROM contact_attempts WHERE email = $1', [email])).toHaveLength(5);
  });

  test('five per IP address are accepted', async () => {
    const address = newAddress();
    expect(
      await sendFifty(
        () => ({ email: newEmail() }),
        () => address,
      ),
    ).toEqual(expected(5));
    expect(await app.query('SELECT 1 FROM contact_requests WHERE ip_address = $1', [address])).toHaveLength(5);
  });

  test('five pairs in opposite orders do not deadlock', async () => {
    const emails = Array.from({ length: 5 }, newEmail);
    const addresses = Array.from({ length: 5 }, newAddress);
    const pick = (list: string[], i: number) => list[i % 5] ?? '';
    const statuses = await sendFifty(
      (i) => ({ email: pick(emails, i) }),
      (i) => pick(addresses, Math.floor(i / 5) + i),
    );
    expect(new Set(statuses)).toEqual(new Set([201, 429]));
    expect(statuses.filter((status) => status === 201)).toHaveLength(5);
  });
});

test('are off with CONTACT_PER_HOUR=0, for tests of clients', async () => {
  const tested = await startTestApp({ settings: { ...contactSettings, CONTACT_PER_HOUR: '0' } });
  onTestFinished(tested.stop);
  const email = newEmail();
  for (let n = 0; n < 7; n += 1) expect((await submit(tested, { email })).status).toBe(201);
});
