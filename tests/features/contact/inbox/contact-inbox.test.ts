import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contactSettings, runJob, submit } from '../../../support/contact.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

const day = 86_400_000;
const clock = createTestClock(new Date('2026-02-01T08:00:00.000Z'));
const inbox = '/api/admin/contact-requests';
let app: TestApp;
let admin: TestUser;
beforeAll(async () => {
  app = await startTestApp({
    settings: { ...contactSettings, CONTACT_RETENTION_DAYS: '30', ACCESS_TOKEN_TTL: '86400' },
    clock,
  });
  admin = await app.createUser({ role: 'admin' });
});
afterAll(() => app.stop());

const insert = `
  INSERT INTO contact_requests (name, email, phone, subject, message, status, ip_address, user_agent, created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, '192.0.2.1', '', $7, $7) RETURNING id`;

async function request(given: Partial<Record<string, string | null>> = {}): Promise<number> {
  const fields = {
    name: 'Lin Wei',
    email: 'lin@example.org',
    phone: null,
    subject: 'other',
    message: 'Hello',
    status: 'pending',
    at: clock().toISOString(),
    ...given,
  };
  const { name, email, phone, subject, message, status, at } = fields;
  const [row] = await app.query<{ id: number }>(insert, [name, email, phone, subject, message, status, at]);
  return row?.id ?? 0;
}

const idsOf = (body: { data: { requests: { id: number }[] } }) => body.data.requests.map((entry) => entry.id);

async function list(query = '') {
  return (await app.as(admin).get(`${inbox}${query}`).expect(200)).body;
}

describe('permissions', () => {
  test('only administrators have access', async () => {
    const user = await app.createUser();
    const id = await request();
    const calls = (as: ReturnType<TestApp['as']>) => [
      as.get(inbox),
      as.get(`${inbox}/export`),
      as.get(`${inbox}/${id}`),
      as.put(`${inbox}/${id}/status`, { status: 'resolved' }),
      as.delete(`${inbox}/${id}`),
    ];
    for (const call of calls(app.anonymous)) {
      const response = await call.expect(401);
      expect(response.body).toEqual({ success: false, message: expect.any(String), code: 'UNAUTHORIZED' });
      expect(response.headers['www-authenticate']).toBe('Bearer');
    }
    for (const call of calls(app.as(user))) {
      const response = await call.expect(403);
      expect(response.body).toEqual({ success: false, message: expect.any(String), code: 'PERMISSION_DENIED' });
    }
    expect((await app.as(admin).get(`${inbox}/${id}`).expect(200)).body.data.status).toBe('pending');
  });
});

describe('the list', () => {
  let ids: number[];
  beforeAll(async () => {
    await app.query('DELETE FROM contact_requests');
    clock.advance(3_600_000);
    ids = [
      await request({ subject: 'password_reset', name: '林小雨', at: '2026-01-01T00:00:00.000Z' }),
      await request({ status: 'reviewed', email: 'Wang@Example.org', at: '2026-01-02T00:00:00.000Z' }),
      await request({ status: 'resolved', phone: '13800138000', at: '2026-01-03T00:00:00.000Z' }),
      await request({ message: '100% _sure_ \\ yes', at: '2026-01-03T00:00:00.000Z' }),
    ];
  });

  test('is paginated, newest or oldest first, with counts of the whole table', async () => {
    const first = await list('?limit=3');
    expect(idsOf(first)).toEqual([ids[3], ids[2], ids[1]]);
    expect(first.data.pagination).toEqual({ page: 1, limit: 3, total: 4, pages: 2 });
    expect(first.data.stats).toEqual({ pending: 2, reviewed: 1, resolved: 1, total: 4 });
    expect(idsOf(await list('?limit=3&page=2'))).toEqual([ids[0]]);
    expect(idsOf(await list('?limit=3&order=asc'))).toEqual([ids[0], ids[1], ids[2]]);
    expect(idsOf(await list('?limit=3&order=asc&page=2'))).toEqual([ids[3]]);
    const beyond = await list('?page=9&status=pending');
    expect(beyond.data).toEqual({
      requests: [],
      pagination: { page: 9, limit: 10, total: 2, pages: 1 },
      stats: { pending: 2, reviewed: 1, resolved: 1, total: 4 },
    });
    expect((await list('?limit=1000')).data.pagination.limit).toBe(100);
  });

  test.each([
    ['?status=pending', [3, 0]],
    ['?status=reviewed', [1]],
    ['?status=all&subject=all&search=&email=', [3, 2, 1, 0]],
    ['?subject=password_reset', [0]],
    ['?subject=feature_request', []],
    ['?status=pending&subject=other', [3]],
    ['?search=%E5%B0%8F', [0]],
    ['?search=LIN%40', [3, 2, 0]],
    ['?search=13800', [2]],
    ['?search=%25', [3]],
    ['?search=_', [3]],
    ['?search=%5C', [3]],
    ['?search=_s', [3]],
    ['?search=%27%3B--', []],
    ['?email=wang@example.ORG', [1]],
    ['?email=wang', []],
    ['?from=2026-01-02T00:00:00Z', [3, 2, 1]],
    ['?to=2026-01-02T00:00:00Z', [0]],
    ['?from=2026-01-02T08:00:00%2B08:00&to=2026-01-03T00:00:00Z', [1]],
  ])('%s', async (query, expected) => {
    const body = await list(query);
    expect(idsOf(body)).toEqual(expected.map((index) => ids[index]));
    expect(body.data.pagination.total).toBe(expected.length);
    expect(body.data.stats.total).toBe(4);
  });

  test.each([
    'status=done',
    'subject=x',
    'page=0',
    'limit=x',
    'order=up',
    'from=yesterday',
    'status=all&status=all',
    'search=a%00b',
  ])('?%s is rejected', async (query) => {
    const { body } = await app.as(admin).get(`${inbox}?${query}`).expect(400);
    expect(body).toMatchObject({
      success: false,
      code: 'VALIDATION_ERROR',
      errors: [{ field: query.split('=', 1)[0] }],
    });
  });

  test('has zero counts if the table is empty', async () => {
    await app.query('DELETE FROM contact_requests');
    expect((await list()).data).toEqual({
      requests: [],
      pagination: { page: 1, limit: 10, total: 0, pages: 0 },
      stats: { pending: 0, reviewed: 0, resolved: 0, total: 0 },
    });
  });
});

describe('one request', () => {
  test.each([
    ['0', 400],
    ['x', 400],
    ['1.5', 400],
    ['-1', 400],
    ['1e3', 400],
    ['999999999', 404],
    ['9223372036854775808', 404],
  ])('id %s returns %i when reading, changing and deleting', async (id, status) => {
    for (const response of [
      await app.as(admin).get(`${inbox}/${id}`),
      await app.as(admin).put(`${inbox}/${id}/status`, { status: 'reviewed' }),
      await app.as(admin).put(`${inbox}/${id}/status`, { status: 'nonsense' }),
      await app.as(admin).delete(`${inbox}/${id}`),
    ]) {
      expect(response.status).toBe(status);
      expect(response.body).toMatchObject({ success: false, message: expect.any(String) });
    }
  });
});

describe('the status', () => {
  const order = ['pending', 'reviewed', 'resolved'];
  const advance = (id: number, body: object) => app.as(admin).put(`${inbox}/${id}/status`, body);

  test.each(order.flatMap((from) => order.map((to) => [from, to] as const)))('from %s to %s', async (from, to) => {
    const id = await request({ status: from });
    clock.advance(1000);
    if (order.indexOf(to) >= order.indexOf(from)) {
      const { body } = await advance(id, { status: to, adminNote: ' answered ' }).expect(200);
      expect(body).toEqual({
        success: true,
        message: expect.any(String),
        data: {
          id,
          name: 'Lin Wei',
          email: 'lin@example.org',
          status: to,
          admin_note: 'answered',
          updated_at: clock().toISOString(),
        },
      });
    } else {
      const before = (await app.as(admin).get(`${inbox}/${id}`)).body;
      const { body } = await advance(id, { status: to, adminNote: 'no' }).expect(400);
      expect(body).toMatchObject({ success: false, errors: [{ field: 'status', msg: expect.stringContaining(from) }] });
      expect((await app.as(admin).get(`${inbox}/${id}`)).body).toEqual(before);
    }
  });

  test('a note is retained if absent, and cleared by null or blanks', async () => {
    const id = await request();
    const note = async (body: object) =>
      (await advance(id, { status: 'reviewed', ...body }).expect(200)).body.data.admin_note;
    expect(await note({})).toBeNull();
    expect(await note({ adminNote: '二\nlines' })).toBe('二\nlines');
    expect(await note({})).toBe('二\nlines');
    expect(await note({ adminNote: null })).toBeNull();
    expect(await note({ adminNote: '好'.repeat(1000) })).toBe('好'.repeat(1000));
    expect(await note({ adminNote: ' ' })).toBeNull();
  });

  test.each([
    [{}, 'status'],
    [{ status: 'open' }, 'status'],
    [{ status: null }, 'status'],
    [{ status: 'reviewed', adminNote: 'x'.repeat(1001) }, 'adminNote'],
    [{ status: 'reviewed', adminNote: 5 }, 'adminNote'],
  ])('%j is rejected', async (body, field) => {
    const id = await request();
    const response = await advance(id, body).expect(400);
    expect(response.body.errors.map((error: { field: string }) => error.field)).toEqual([field]);
  });

  test('concurrent changes never move it backwards', async () => {
    const other = await startTestApp({ databaseUrl: app.databaseUrl, settings: contactSettings, clock });
    for (let round = 0; round < 10; round += 1) {
      const id = await request();
      const responses = await Promise.all(
        Array.from({ length: 12 }, (_, i) => {
          const status = order[(i + round) % 3];
          return (i % 2 === 0 ? app : other).as(admin).put(`${inbox}/${id}/status`, { status, adminNote: `${i}` });
        }),
      );
      // After the first "resolved" all other statuses are rejected, so it remains the final one.
      const accepted = responses.flatMap((response, i) =>
        response.status === 200 ? [{ ...response.body.data, i }] : [],
      );
      expect(responses.every((response) => [200, 400].includes(response.status))).toBe(true);
      const { data } = (await app.as(admin).get(`${inbox}/${id}`)).body;
      expect(data.status).toBe('resolved');
      const last = accepted.find((entry) => String(entry.i) === data.admin_note);
      expect(last?.status).toBe('resolved');
    }
    await other.stop();
  });
});

describe('deleting', () => {
  test.each(['pending', 'reviewed', 'resolved'])('a %s request succeeds once', async (status) => {
    const id = await request({ status });
    const { body } = await app.as(admin).delete(`${inbox}/${id}`).expect(200);
    expect(body).toEqual({ success: true, message: expect.any(String) });
    await app.as(admin).get(`${inbox}/${id}`).expect(404);
    await app.as(admin).delete(`${inbox}/${id}`).expect(404);
  });

  test('of concurrent deletions one succeeds', async () => {
    const id = await request();
    const responses = await Promise.all(Array.from({ length: 8 }, () => app.as(admin).delete(`${inbox}/${id}`)));
    expect(responses.map((response) => response.status).sort()).toEqual([200, ...Array(7).fill(404)]);
  });
});

describe('old requests', () => {
  test('are deleted CONTACT_RETENTION_DAYS after they were resolved, open ones never', async () => {
    await app.query('DELETE FROM contact_requests');
    const { body } = await submit(app);
    const done = await request({ status: 'resolved' });
    clock.advance(30 * day);
    await runJob(app, 'remove old contact requests');
    expect(await app.query('SELECT id FROM contact_requests')).toHaveLength(2);
    clock.advance(1);
    await runJob(app, 'remove old contact requests');
    expect(await app.query('SELECT id FROM contact_requests')).toEqual([{ id: body.requestId }]);
    expect(done).toBeGreaterThan(0);
  });

  test('are not deleted without CONTACT_RETENTION_DAYS', async () => {
    const withoutRetention = await startTestApp({ databaseUrl: app.databaseUrl });
    expect(withoutRetention.container.jobs.map((job) => job.name)).not.toContain('remove old contact requests');
    await withoutRetention.stop();
  });
});
