import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

const clock = createTestClock(new Date('2026-03-10T12:00:00.000Z'));
let app: TestApp;
let other: TestApp;
let admin: TestUser;
beforeAll(async () => {
  app = await startTestApp({ clock });
  other = await startTestApp({ clock, databaseUrl: app.databaseUrl });
  admin = await app.createUser({ role: 'admin', username: 'head' });
});
afterAll(async () => {
  await other.stop();
  await app.stop();
});

const inbox = '/api/admin/contact-requests';
async function receive(status = 'pending', created_at = '2026-03-10T11:00:00Z', email = 'lin@example.org') {
  const [row] = await app.query<{ id: number }>(
    `INSERT INTO contact_requests (name, email, subject, message, status, ip_address, user_agent, created_at, updated_at)
     VALUES ('Lin', $3, 'other', 'Hello', $1, '127.0.0.1', '', $2, $2) RETURNING id`,
    [status, created_at, email],
  );
  return row?.id ?? 0;
}
const bulk = (body: object, by = app) => by.as(admin).post(`${inbox}/bulk`, body);
const read = async (id: number) => (await app.as(admin).get(`${inbox}/${id}`).expect(200)).body.data;

describe('requests in bulk', () => {
  test('are moved forward where allowed, with a result per id', async () => {
    const [pending, reviewed, resolved] = [await receive(), await receive('reviewed'), await receive('resolved')];
    const ids = [resolved, pending, 999_999, reviewed, pending];
    const { body } = await bulk({ ids, status: 'reviewed' }).expect(200);
    expect(body.message).toBe('Requests changed: 1 of 4.');
    expect(body.data).toEqual({
      changed_count: 1,
      results: [
        { id: resolved, outcome: 'status_backward' },
        { id: pending, outcome: 'updated' },
        { id: 999_999, outcome: 'not_found' },
        { id: reviewed, outcome: 'unchanged' },
      ],
    });
    expect(await read(pending)).toMatchObject({ status: 'reviewed', handled_by: { id: admin.id, username: 'head' } });
    expect(await read(resolved)).toMatchObject({ status: 'resolved', handled_by: null });
    const { entries } = (await app.as(admin).get('/api/admin/audit?action=changeContactRequests')).body.data;
    expect(entries).toMatchObject([
      { target_ids: [pending], before: { status: 'pending' }, after: { status: 'reviewed' } },
    ]);
  });

  test('are deleted', async () => {
    const ids = [await receive(), await receive('resolved')];
    const { body } = await bulk({ ids: [...ids, 999_999], delete: true }).expect(200);
    expect(body.data.results.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      ...['deleted', 'deleted', 'not_found'],
    ]);
    for (const id of ids) await app.as(admin).get(`${inbox}/${id}`).expect(404);
  });

  test.each([
    [{ ids: [], status: 'reviewed' }, 'ids'],
    [{ ids: Array.from({ length: 201 }, (_, index) => index + 1), status: 'reviewed' }, 'ids'],
    [{ ids: [1] }, 'status'],
    [{ ids: [1], status: 'reviewed', delete: true }, 'status'],
    [{ ids: [1], delete: false }, 'delete'],
    [{ ids: [1], status: 'gone' }, 'status'],
  ])('%j is rejected for %s', async (body, field) => {
    const response = await bulk(body).expect(400);
    expect(response.body.errors.map((error: { field: string }) => error.field)).toContain(field);
  });

  test('in opposite orders by several administrators do not deadlock or move backwards', async () => {
    const ids = await Promise.all(Array.from({ length: 30 }, () => receive()));
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        bulk(
          {
            ids: index % 2 === 0 ? ids : ids.toReversed(),
            ...(index === 7 ? { delete: true } : { status: index % 3 === 0 ? 'resolved' : 'reviewed' }),
          },
          index % 2 === 0 ? app : other,
        ),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(200));
    for (const id of ids) await app.as(admin).get(`${inbox}/${id}`).expect(404);
    const { entries } = (await app.as(admin).get(`/api/admin/audit?target_id=${ids[0]}&limit=100`)).body.data;
    const order = ['pending', 'reviewed', 'resolved'];
    for (const { before, after } of entries.filter((entry: { after: unknown }) => entry.after !== null))
      expect(order.indexOf(after.status)).toBeGreaterThan(order.indexOf(before.status));
  });
});

describe('a request', () => {
  test('is changed and deleted with If-Match only if unchanged', async () => {
    const url = `${inbox}/${await receive()}`;
    const { headers } = await app.as(admin).get(url).expect(200);
    const etag = String(headers['etag']);
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        (index % 2 === 0 ? app : other)
          .as(admin)
          .put(`${url}/status`, { status: 'reviewed', adminNote: `${index}` })
          .set('If-Match', etag),
      ),
    );
    const codes = responses.map(({ status, body }) => body.code ?? status);
    expect(codes.toSorted()).toEqual([200, ...Array(9).fill('PRECONDITION_FAILED')]);
    await app.as(admin).delete(url).set('If-Match', etag).expect(400);
    const winner = responses.find(({ status }) => status === 200);
    await app.as(admin).delete(url).set('If-Match', String(winner?.headers['etag'])).expect(200);
  });

  test('shows the earlier requests of its e-mail address, newest first', async () => {
    const email = 'again@example.org';
    const [first, second] = [
      await receive('resolved', '2026-03-01T08:00:00Z', email.toUpperCase()),
      await receive('pending', '2026-03-02T08:00:00Z', email),
    ];
    const third = await receive('pending', '2026-03-03T08:00:00Z', email);
    await receive('pending', '2026-03-04T08:00:00Z', email);
    expect((await read(third)).earlier_requests).toEqual([
      { id: second, subject: 'other', status: 'pending', created_at: '2026-03-02T08:00:00.000Z' },
      { id: first, subject: 'other', status: 'resolved', created_at: '2026-03-01T08:00:00.000Z' },
    ]);
    expect((await read(first)).earlier_requests).toEqual([]);
  });

  test('is overdue when it is unresolved after 24 hours', async () => {
    await app.query('DELETE FROM contact_requests');
    const [late, seen, done] = [
      await receive('pending', '2026-03-09T11:59:59Z'),
      await receive('reviewed', '2026-03-09T11:59:59Z'),
      await receive('resolved', '2026-03-01T08:00:00Z'),
    ];
    const fresh = await receive('pending', '2026-03-09T12:00:00Z');
    const listed = async (query: string) =>
      (await app.as(admin).get(`${inbox}?${query}`).expect(200)).body.data.requests.map(({ id }: { id: number }) => id);
    expect(await listed('overdue=true')).toEqual([seen, late]);
    expect(await listed('overdue=false')).toEqual([fresh, done]);
    expect(await Promise.all([late, seen, done, fresh].map(async (id) => (await read(id)).overdue))).toEqual([
      ...[true, true, false, false],
    ]);
    await app.as(admin).get(`${inbox}?overdue=yes`).expect(400);
  });
});
