import { afterAll, beforeAll, expect, test } from 'vitest';
import { assign, createProject } from '../support/records.ts';
import { startTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
let admin: TestUser;
let user: TestUser;
const stored = 'Ｍａｔｈ café（一）第三章 Σίσυφος Straße';

beforeAll(async () => {
  app = await startTestApp({ settings: { RATE_LIMIT_PER_MINUTE: '0' } });
  admin = await app.createUser({ role: 'admin' });
  user = await app.createUser();
  await app.query('UPDATE users SET display_name = $2 WHERE id = $1', [user.id, stored]);
  const project = await createProject(app, user, stored);
  await assign(app, project, await app.createUser());
  const note = { started_at: '2026-02-01T08:00:00Z', duration_seconds: 60, note: stored };
  await app.as(user).post(`/api/projects/${project}/sessions`, note).expect(201);
  await app.as(admin).post('/api/admin/groups', { name: stored }).expect(201);
  await app.query(
    `INSERT INTO contact_requests (name, email, subject, message, ip_address, user_agent, created_at, updated_at)
     VALUES ('Lin', 'lin@example.org', 'other', $1, '192.0.2.1', '', now(), now())`,
    [stored],
  );
});
afterAll(() => app.stop());

const searches = [
  'math',
  'ＭＡＴＨ',
  'cafe',
  'CAFÉ',
  'cafe\u0301',
  'ｃａｆｅ',
  '(一)',
  '（一）',
  '三章',
  '三',
  '章',
  'm',
  'é（',
  'ΣΊΣΥΦΟΣ',
  'σίσυφοσ',
  'STRASSE',
  'straße',
];
const lists = ['projects', 'sessions', 'admin/users', 'admin/groups', 'admin/progress', 'admin/contact-requests'];

test.each(lists.flatMap((list) => ['鼠\u0301', '\u0301'].map((search) => [list, search] as const)))(
  '%s: an accent without its own letter does not count as a character (%j)',
  async (list, search) => {
    const found = await app
      .as(admin)
      .get(`/api/${list}?search=${encodeURIComponent(search)}`)
      .expect(200);
    expect(found.body.data.pagination.total).toBe(0);
  },
);

test.each(lists.flatMap((list) => searches.map((search) => [list, search] as const)))(
  '%s: %s finds texts without width, case and accents',
  async (list, search) => {
    const path = `/api/${list}?`;
    const found = await app
      .as(admin)
      .get(`${path}search=${encodeURIComponent(search)}`)
      .expect(200);
    expect(found.body.data.pagination.total).toBeGreaterThan(0);
    expect(JSON.stringify(found.body.data)).toContain(stored);
    const other = await app
      .as(admin)
      .get(`${path}search=${encodeURIComponent('%第九')}`)
      .expect(200);
    expect(other.body.data.pagination.total).toBe(0);
  },
);
