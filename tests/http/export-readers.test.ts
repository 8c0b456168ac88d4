import type { Socket } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startHttpServer } from '../../src/boot/http-server.ts';
import { contactSettings } from '../support/contact.ts';
import { openSocket } from '../support/raw-http.ts';
import { startTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const path = '/api/admin/contact-requests/export';
let app: TestApp;
let admin: TestUser;
beforeAll(async () => {
  app = await startTestApp({ settings: contactSettings });
  admin = await app.createUser({ role: 'admin' });
  // More than the socket buffers hold.
  await app.query(`
    INSERT INTO contact_requests (name, email, subject, message, ip_address, user_agent, created_at, updated_at)
    SELECT 'Row', i || '@example.org', 'other', repeat('text ', 200), '192.0.2.1', '', now(), now()
    FROM generate_series(1, 8000) AS i`);
});
afterAll(() => app.stop());

/** Requests the export and never reads it. */
async function openIdle(user: TestUser): Promise<Socket> {
  const socket = await openSocket(app.origin);
  onTestFinished(() => void socket.destroy());
  socket.pause();
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${user.token}\r\n\r\n`);
  return socket;
}

const connectionsInUse = async () => {
  const rows = await app.query(
    `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in%'`,
  );
  return rows.length;
};

const connections = () =>
  new Promise<number>((resolve, reject) => {
    app.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });

test('ten users who do not read their exports hold no database connection and delay nobody', async () => {
  const users = await Promise.all(Array.from({ length: 10 }, () => app.createUser({ role: 'admin' })));
  const sockets = await Promise.all(users.map(openIdle));
  const lines = async () => {
    const headers = { Authorization: `Bearer ${admin.token}`, Connection: 'close' };
    const response = await fetch(`${app.origin}${path}`, { headers });
    return (await response.text()).split('\r\n').length;
  };
  await expect.poll(lines).toBe(8_002); // on a slow machine only after the others and a 503
  // All ten are still connected, so the export did not have to wait for one of them.
  await expect.poll(connections).toBe(users.length);
  await expect.poll(connectionsInUse).toBe(0);
  expect(sockets.every((socket) => !socket.destroyed)).toBe(true);
  for (const user of users) await app.as(user).get('/api/projects').expect(200);
});

test('a database error returns an error response, not a truncated file', async () => {
  const user = await app.createUser();
  await app.query('ALTER TABLE study_sessions RENAME COLUMN note TO note_gone');
  try {
    for (const format of ['csv', 'json']) {
      const { body } = await app.as(user).get(`/api/sessions/export?format=${format}`).expect(500);
      expect(body).toMatchObject({ success: false, error: { code: 'INTERNAL_ERROR' } });
    }
  } finally {
    await app.query('ALTER TABLE study_sessions RENAME COLUMN note_gone TO note');
  }
});

test('HEAD responds without reading to the end', async () => {
  const response = await fetch(`${app.origin}${path}`, {
    method: 'HEAD',
    headers: { Authorization: `Bearer ${admin.token}` },
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  await expect.poll(connectionsInUse).toBe(0);
});

test('a streamed response causes no warning about its listeners', async () => {
  const server = await startHttpServer(app.app, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => server.drain(0));
  const warnings: string[] = [];
  const note = ({ name }: Error) => warnings.push(name);
  process.on('warning', note);
  onTestFinished(() => void process.off('warning', note));
  const response = await fetch(`${server.origin}${path}`, { headers: { Authorization: `Bearer ${admin.token}` } });
  expect((await response.text()).length).toBeGreaterThan(8_000_000);
  expect(warnings).toEqual([]);
});
