import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { contactSettings, getCaptcha, newAddress, post, runJob, submit } from '../../support/contact.ts';
import { createTestClock, startTestApp, type TestApp } from '../../support/test-app.ts';

const minute = 60_000;
const clock = createTestClock(new Date('2026-02-01T08:00:00.000Z'));
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ settings: contactSettings, clock });
});
afterAll(() => app.stop());
// Nothing of one test is left in the window of the next.
beforeEach(() => clock.advance(120 * minute));

let mails = 0;
function newEmail(): string {
  mails += 1;
  return `limited${mails}@example.org`;
}

function waitOf(response: { headers: Record<string, string> }): number {
  return Number(response.headers['retry-after']);
}

describe('one an hour for an e-mail address', () => {
  test('the second is refused until the hour is over, to the second', async () => {
    const email = newEmail();
    expect((await submit(app, { email })).status).toBe(201);
    clock.advance(10 * minute);
    const refused = await submit(app, { email });
    expect(refused.status).toBe(429);
    expect(refused.body).toEqual({ success: false, code: 'RATE_LIMITED', message: expect.stringContaining('e-mail') });
    expect(waitOf(refused)).toBe(50 * 60);
    clock.advance(50 * minute - 1);
    const early = await submit(app, { email });
    expect([early.status, waitOf(early)]).toEqual([429, 1]);
    clock.advance(1);
    expect((await submit(app, { email })).status).toBe(201);
  });

  test('capitals and blanks make no other address of it', async () => {
    expect((await submit(app, { email: 'Same.Person@Example.org' })).status).toBe(201);
    for (const email of ['same.person@example.org', ' SAME.PERSON@EXAMPLE.ORG ', 'Same.Person@example.org'])
      expect((await submit(app, { email })).status).toBe(429);
  });

  test('deleting the request frees nothing', async () => {
    const email = newEmail();
    const first = await submit(app, { email });
    const admin = await app.createUser({ role: 'admin' });
    await app.as(admin).delete(`/api/admin/contact-requests/${first.body.requestId}`).expect(200);
    expect((await submit(app, { email })).status).toBe(429);
  });

  test('nor does a restart', async () => {
    const email = newEmail();
    const before = await startTestApp({ databaseUrl: app.databaseUrl, settings: contactSettings, clock });
    expect((await submit(before, { email })).status).toBe(201);
    await before.stop();
    const after = await startTestApp({ databaseUrl: app.databaseUrl, settings: contactSettings, clock });
    expect((await submit(after, { email })).status).toBe(429);
    await after.stop();
  });
});

describe('five an hour', () => {
  test('from one address, under any name and email', async () => {
    const address = newAddress();
    for (let i = 0; i < 5; i += 1) {
      expect((await submit(app, {}, address)).status).toBe(201);
      clock.advance(minute);
    }
    const refused = await submit(app, {}, address);
    expect([refused.status, waitOf(refused)]).toEqual([429, 55 * 60]);
    expect((await submit(app)).status).toBe(201);
    // Being refused for the number of tries does not put off the end of the wait.
    clock.advance(55 * minute);
    expect((await submit(app, {}, address)).status).toBe(201);
    expect((await submit(app, {}, address)).status).toBe(429);
  });

  test('with an e-mail address, from wherever: duplicates count', async () => {
    const email = newEmail();
    const [early, late] = [email, newEmail()];
    expect((await submit(app, { email: early })).status).toBe(201);
    clock.advance(30 * minute);
    for (let i = 0; i < 4; i += 1) expect(waitOf(await submit(app, { email }))).toBe(30 * 60);
    clock.advance(30 * minute);
    // The accepted one is out of the window, and of the five only the four duplicates are left.
    expect((await submit(app, { email })).status).toBe(201);
    // Now there are five, and the new one was accepted: the later of both ends counts.
    const refused = await submit(app, { email });
    expect([refused.status, waitOf(refused)]).toEqual([429, 60 * 60]);
    expect((await submit(app, { email: late })).status).toBe(201);
  });

  test('duplicates use up the address they come from', async () => {
    const [address, email] = [newAddress(), newEmail()];
    expect((await submit(app, { email }, address)).status).toBe(201);
    for (let i = 0; i < 4; i += 1) expect((await submit(app, { email }, address)).status).toBe(429);
    expect((await submit(app, {}, address)).status).toBe(429);
  });

  test('a wrong captcha uses neither up', async () => {
    const [address, email] = [newAddress(), newEmail()];
    for (let i = 0; i < 6; i += 1) expect((await submit(app, { email, captcha: '0000' }, address)).status).toBe(400);
    expect((await submit(app, { email }, address)).status).toBe(201);
  });

  test('attempts that no longer count are forgotten', async () => {
    await submit(app);
    clock.advance(120 * minute + 1);
    await submit(app);
    await runJob(app, 'purge contact attempts');
    expect(await app.query('SELECT 1 FROM contact_attempts')).toHaveLength(1);
  });
});

describe('what an address is', () => {
  const fill = async (address: string) => {
    for (let i = 0; i < 5; i += 1) expect((await submit(app, {}, address)).status).toBe(201);
  };

  test('neighbours in one /64 are one, those in the next are another', async () => {
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

  test('with one trusted proxy, what the client writes before it is ignored', async () => {
    await fill('192.0.2.80');
    expect((await submit(app, {}, '10.9.9.9, 192.0.2.80')).status).toBe(429);
  });

  test('a trusted proxy that passes nonsense on stands for its clients itself', async () => {
    const { body } = await submit(app, {}, randomBytes(3000).toString('hex'));
    const [row] = await app.query<{ ip_address: string }>('SELECT ip_address FROM contact_requests WHERE id = $1', [
      body.requestId,
    ]);
    expect(row?.ip_address).toBe('127.0.0.1');
  });

  test('without a trusted proxy, no header changes it', async () => {
    const settings = { ...contactSettings, TRUST_PROXY: '' };
    const bare = await startTestApp({ databaseUrl: app.databaseUrl, settings, clock });
    const forged = (i: number) => ({
      'X-Forwarded-For': `203.0.113.${i}`,
      'X-Real-IP': `203.0.113.${i}`,
      Forwarded: `for=203.0.113.${i}`,
      'X-Client-IP': `203.0.113.${i}`,
      'CF-Connecting-IP': `203.0.113.${i}`,
      'True-Client-IP': `203.0.113.${i}`,
    });
    for (let i = 0; i < 6; i += 1) {
      const { body } = await bare.anonymous.get('/api/contact/captcha').set(forged(i)).expect(200);
      const fields = { name: 'Lin Wei', email: newEmail(), subject: 'other', message: 'Hello' };
      const captcha = { captcha: body.data.answer, captcha_id: body.data.captcha_id };
      const answer = await bare.anonymous.post('/api/contact/submit', { ...fields, ...captcha }).set(forged(i));
      expect(answer.status).toBe(i < 5 ? 201 : 429);
    }
    const rows = await app.query<{ ip_address: string }>(
      'SELECT ip_address FROM contact_requests ORDER BY id DESC LIMIT 5',
    );
    expect(rows.every((row) => row.ip_address === '127.0.0.1')).toBe(true);
    await bare.stop();
  });
});

describe('many at the same moment, in two processes', () => {
  let other: TestApp;
  beforeEach(async () => {
    other = await startTestApp({ databaseUrl: app.databaseUrl, settings: contactSettings, clock });
  });
  afterEach(() => other.stop());

  /** Fifty at once, every other one to the other process, all with captchas that were fetched before. */
  async function fifty(fields: (i: number) => object, address: (i: number) => string) {
    const captchas: Awaited<ReturnType<typeof getCaptcha>>[] = [];
    for (let i = 0; i < 50; i += 1) captchas.push(await getCaptcha(i % 2 === 0 ? app : other));
    const answers = await Promise.all(
      captchas.map(({ captcha_id, answer }, i) => {
        const body = { name: 'Lin Wei', subject: 'other', message: 'Hello', captcha: answer, captcha_id, ...fields(i) };
        return post(i % 2 === 0 ? other : app, body, address(i));
      }),
    );
    return answers.map((answer) => answer.status).sort();
  }

  const expected = (accepted: number) => [...Array(accepted).fill(201), ...Array(50 - accepted).fill(429)];

  test('one of an e-mail address gets in', async () => {
    const email = newEmail();
    expect(await fifty(() => ({ email }), newAddress)).toEqual(expected(1));
    expect(await app.query('SELECT 1 FROM contact_requests WHERE email = $1', [email])).toHaveLength(1);
    // Five got as far as being counted.
    expect(await app.query('SELECT 1 FROM contact_attempts WHERE email = $1', [email])).toHaveLength(5);
  });

  test('five from an address get in', async () => {
    const address = newAddress();
    expect(
      await fifty(
        () => ({ email: newEmail() }),
        () => address,
      ),
    ).toEqual(expected(5));
    expect(await app.query('SELECT 1 FROM contact_requests WHERE ip_address = $1', [address])).toHaveLength(5);
  });

  test('five pairs in opposite orders end without a deadlock', async () => {
    const emails = Array.from({ length: 5 }, newEmail);
    const addresses = Array.from({ length: 5 }, newAddress);
    const pick = (list: string[], i: number) => list[i % 5] ?? '';
    const statuses = await fifty(
      (i) => ({ email: pick(emails, i) }),
      (i) => pick(addresses, Math.floor(i / 5) + i),
    );
    expect(new Set(statuses)).toEqual(new Set([201, 429]));
    expect(statuses.filter((status) => status === 201)).toHaveLength(5);
  });
});
