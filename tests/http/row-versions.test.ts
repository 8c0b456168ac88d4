import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { createProject } from '../support/records.ts';
import { startTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const record = { started_at: '2026-03-01T08:00:00Z', duration_seconds: 600 };

describe('an item of a list', () => {
  let app: TestApp;
  let ann: TestUser;
  let bob: TestUser;
  let project: number;
  beforeAll(async () => {
    app = await startTestApp();
    [ann, bob] = [await app.createUser(), await app.createUser({ role: 'admin' })];
    project = await createProject(app, ann);
    await app.as(ann).post(`/api/projects/${project}/sessions`, record).expect(201);
  });
  afterAll(() => app.stop());

  const lists = [
    ['/api/projects', 'projects', 'name'],
    ['/api/sessions', 'sessions', 'note'],
    ['/api/projects/:id/sessions', 'sessions', 'note'],
  ] as const;
  test.each(lists)(
    'of %s has its version, and a conditional change overwrites nothing newer',
    async (path, kind, field) => {
      const read = async () =>
        (
          await app
            .as(ann)
            .get(path.replace(':id', `${project}`))
            .expect(200)
        ).body.data[kind][0];
      for (const _again of ['first read', 'cached']) {
        await read();
        const item = await read();
        const one = `/api/${kind}/${item.id}`;
        await app
          .as(bob)
          .put(one, { [field]: 'Theirs' })
          .set('If-Match', item.etag)
          .expect(200);
        await app
          .as(ann)
          .put(one, { [field]: 'Mine' })
          .set('If-Match', item.etag)
          .expect(412);
        await app.as(ann).delete(one).set('If-Match', item.etag).expect(412);
        const current = await read();
        expect(current).toMatchObject({ [field]: 'Theirs' });
        const changed = await app
          .as(ann)
          .put(one, { [field]: 'Mine' })
          .set('If-Match', current.etag)
          .expect(200);
        await app
          .as(ann)
          .put(one, { [field]: 'Mine again' })
          .set('If-Match', changed.body.data.etag)
          .expect(200);
      }
    },
  );

  type Managed = {
    path: string;
    kind: string;
    change: (value: string) => object;
    shown: (value: string) => object;
    target?: string;
    rejected?: number;
    setUp: () => Promise<unknown>;
  };
  const managed: Managed[] = [
    {
      path: '/api/admin/users',
      kind: 'users',
      change: (display_name) => ({ display_name }),
      shown: (display_name) => ({ display_name }),
      setUp: () => app.createUser(),
    },
    {
      path: '/api/admin/groups',
      kind: 'groups',
      change: (name) => ({ name }),
      shown: (name) => ({ name }),
      setUp: () =>
        app
          .as(bob)
          .post('/api/admin/groups', { name: 'Class 3b', user_ids: [ann.id] })
          .expect(201),
    },
    {
      path: '/api/admin/contact-requests',
      kind: 'requests',
      target: '/status',
      rejected: 400, // contact operations have no 412
      change: (adminNote) => ({ status: 'pending', adminNote }),
      shown: (admin_note) => ({ admin_note }),
      setUp: () =>
        app.query(
          `INSERT INTO contact_requests (name, email, subject, message, ip_address, user_agent, created_at, updated_at)
           VALUES ('Lin', 'lin@example.org', 'other', 'A question about it', '203.0.113.7', '', now(), now())`,
        ),
    },
  ];
  test.each(managed)(
    'of $path has its version for administrators',
    async ({ path, kind, change, shown, target = '', rejected = 412, setUp }) => {
      const other = await app.createUser({ role: 'admin' });
      await setUp();
      const read = async () => (await app.as(bob).get(path).expect(200)).body.data[kind][0];
      const item = await read();
      const one = `${path}/${item.id}`;
      const put = (user: TestUser, text: string, etag: string) =>
        app
          .as(user)
          .put(one + target, change(text))
          .set('If-Match', etag);
      const { headers, body } = await app.as(bob).get(one).expect(200);
      expect(body.data.etag).toBe(item.etag);
      expect(headers['etag']).toContain(item.etag.slice(0, -1));

      await put(other, 'Theirs', item.etag).expect(200);
      const { body: error } = await put(bob, 'Mine', item.etag).expect(rejected);
      expect(error.code ?? error.error.code).toBe('PRECONDITION_FAILED');
      const current = await read();
      expect(current).toMatchObject(shown('Theirs'));
      await put(bob, 'Mine', current.etag).expect(200);
      expect(await read()).toMatchObject(shown('Mine'));

      // One of two concurrent changes based on the same list is rejected.
      const { etag } = await read();
      const both = await Promise.all([put(bob, 'First', etag), put(other, 'Second', etag)]);
      expect(both.map(({ status }) => status).sort()).toEqual([200, rejected]);
      expect(await read()).toMatchObject(shown(both[0].status === 200 ? 'First' : 'Second'));
    },
  );

  test('of a group becomes stale when its members change', async () => {
    const [item] = (await app.as(bob).get('/api/admin/groups').expect(200)).body.data.groups;
    await app
      .as(bob)
      .post(`/api/admin/groups/${item.id}/members`, { remove: [ann.id] })
      .expect(200);
    const put = app.as(bob).put(`/api/admin/groups/${item.id}`, { user_ids: [ann.id] });
    await put.set('If-Match', item.etag).expect(412);
  });

  test('has the same version as its detail', async () => {
    const [item] = (await app.as(ann).get('/api/projects')).body.data.projects;
    const { body, headers } = await app.as(ann).get(`/api/projects/${item.id}`).expect(200);
    expect(body.data.etag).toBe(item.etag);
    expect(headers['etag']).toContain(item.etag.slice(0, -1));
  });
});

test('after a point-in-time recovery no version is reused', async () => {
  const lost = await createTestDatabase();
  const before = await startTestApp({ databaseUrl: lost.url });
  const ann = await before.createUser();
  const project = await createProject(before, ann);
  const { body } = await before.as(ann).post(`/api/projects/${project}/sessions`, record).expect(201);
  await before.stop();
  await lost.database.close();
  const recovered = await createTestDatabase({ copyOf: lost.url });

  async function change(at: TestApp, text: string) {
    const paths = [`/api/projects/${project}`, `/api/sessions/${body.data.id}`];
    for (const path of paths) await at.as(ann).put(path, path.includes('projects') ? { name: text } : { note: text });
    const added = await at.as(ann).post('/api/projects', { name: text }).expect(201);
    return Promise.all([...paths, String(added.headers['location'])].map((path) => at.as(ann).get(path).expect(200)));
  }
  const apps = [
    await startTestApp({ databaseUrl: lost.url }),
    await startTestApp({ databaseUrl: recovered.url }),
  ] as const;
  const [once, again] = [await change(apps[0], 'Before'), await change(apps[1], 'After')];
  for (const [index, read] of once.entries()) {
    const tag = String(read.headers['etag']);
    const path = read.request.url.replace(/^.*?\/api/, '/api');
    expect(again[index]?.body.data.id).toBe(read.body.data.id); // ids are reused
    expect(again[index]?.headers['etag']).not.toBe(tag);
    await apps[1].as(ann).get(path).set('If-None-Match', tag).expect(200);
    await apps[1].as(ann).delete(path).set('If-Match', tag).expect(412);
  }
  for (const app of apps) await app.stop();
  await recovered.drop();
  await lost.drop();
});
