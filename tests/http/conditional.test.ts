import type { Response } from 'supertest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contactSettings, submit } from '../support/contact.ts';
import { assign, createProject } from '../support/records.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

/** Two instances on one database, like two processes. The clock is fixed, because some responses contain the time. */
const clock = createTestClock();
let apps: [TestApp, TestApp];
let admin: TestUser;
let ann: TestUser;
let bob: TestUser;
beforeAll(async () => {
  const first = await startTestApp({ settings: contactSettings, clock });
  apps = [first, await startTestApp({ settings: contactSettings, clock, databaseUrl: first.databaseUrl })];
  admin = await first.createUser({ role: 'admin' });
  [ann, bob] = [await first.createUser(), await first.createUser()];
});
afterAll(async () => {
  await apps[1].stop();
  await apps[0].stop();
});

let days = 0;
const create = {
  project: async () => `/api/projects/${await createProject(apps[0], ann)}`,
  session: async () => {
    days += 1;
    const body = { started_at: `2026-03-${String(days).padStart(2, '0')}T08:00:00Z`, duration_seconds: 600 };
    const created = await apps[0]
      .as(ann)
      .post(`/api/projects/${await createProject(apps[0], ann)}/sessions`, body)
      .expect(201);
    return String(created.headers['location']);
  },
};
const change = (path: string, index: number) =>
  path.includes('projects') ? { name: `Name ${index}` } : { note: `${index}` };

describe.each(['project', 'session'] as const)('twenty concurrent conditional requests for a %s', (kind) => {
  async function race(send: (app: TestApp, path: string, index: number) => ReturnType<TestApp['anonymous']['get']>) {
    const path = await create[kind]();
    const { headers } = await apps[0].as(ann).get(path).expect(200);
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        send(apps[index % 2 === 0 ? 0 : 1], path, index).set('If-Match', String(headers['etag'])),
      ),
    );
    const statuses = responses.map(({ status }) => status);
    return { path, statuses, winner: statuses.indexOf(200) };
  }

  test('make one change', async () => {
    const { path, statuses, winner } = await race((app, at, index) => app.as(ann).put(at, change(at, index)));
    expect(statuses.toSorted()).toEqual([200, ...Array(19).fill(412)]);
    const { body } = await apps[1].as(ann).get(path).expect(200);
    expect(body.data).toMatchObject(change(path, winner));
  });

  test('make one change or deletion', async () => {
    const { path, statuses, winner } = await race((app, at, index) =>
      index % 4 < 2 ? app.as(ann).put(at, change(at, index)) : app.as(ann).delete(at),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => ![200, 404, 412].includes(status))).toEqual([]);
    await apps[1]
      .as(ann)
      .get(path)
      .expect(winner % 4 < 2 ? 200 : 404);
  });
});

describe('a read with the ETag of an earlier one', () => {
  const paths = new Map<string, string>();
  beforeAll(async () => {
    const [app] = apps;
    const project = await createProject(app, ann, 'Shared');
    await assign(app, project, bob);
    const session = await create.session();
    const request = (await submit(app)).body.requestId;
    await app.as(bob).post('/api/timer/start', { project_id: project }).expect(201);
    const ids = [
      ['/api/projects/:id', project],
      ['/api/sessions/:id', session.replace(/\D/g, '')],
      ['/api/admin/users/:id', ann.id],
      ['/api/admin/contact-requests/:id', request],
    ] as const;
    for (const { id, method, path, access, produces } of app.container.operations) {
      if (method !== 'get' || access === 'public' || produces !== undefined) continue;
      if (id === 'sync') continue; // its cursor changes whenever a transaction on the server ends
      const [prefix, value] = ids.find(([start]) => path.startsWith(start)) ?? ['', ''];
      paths.set(id, prefix === '' ? path : path.replace(prefix, prefix.replace(':id', String(value))));
    }
  });

  type Reader = { user: TestUser; locale: string };
  const readers = (): Reader[] => [
    ...[admin, ann, bob].map((user) => ({ user, locale: 'en' })),
    { user: ann, locale: 'zh' },
  ];
  const read = ({ user, locale }: Reader, path: string, tag = '') =>
    apps[1].as(user).get(path).set('Accept-Language', locale).set('If-None-Match', tag);

  /** Each reader sends the ETags of all readers; 304 is correct only if the reader would get the same bytes. */
  async function expectCorrect(path: string, earlier: readonly Response[], name: string) {
    await Promise.all(
      readers().map(async (reader) => {
        const current = await read(reader, path);
        for (const { headers, text } of earlier) {
          const { status } = await read(reader, path, headers['etag']);
          const known = current.status === 200 && current.text === text;
          const who = `${name} for ${reader.user.username} in ${reader.locale}`;
          expect(known ? [200, 304] : [current.status], who).toContain(status);
          if (current.status === 200 && current.headers['etag'] === headers['etag']) {
            expect([status, current.text], who).toEqual([304, text]);
          }
        }
      }),
    );
  }

  test('never gets 304 after a change, nor for another reader or language', async () => {
    expect(paths.size).toBeGreaterThan(15);
    const earlier = new Map<string, Response[]>();
    for (const [name, path] of paths) {
      const responses = [];
      for (const reader of readers()) responses.push(await read(reader, path));
      earlier.set(
        name,
        responses.filter(({ status }) => status === 200),
      );
      await expectCorrect(path, earlier.get(name) ?? [], name);
    }

    const [app] = apps;
    await app
      .as(admin)
      .put(paths.get('getProject') ?? '', { name: 'Renamed', target_hours: 9 })
      .expect(200);
    await app
      .as(ann)
      .put(paths.get('getSession') ?? '', { note: 'Corrected' })
      .expect(200);
    await app
      .as(admin)
      .put(paths.get('getUser') ?? '', { display_name: 'Another name' })
      .expect(200);
    const request = paths.get('getContactRequest') ?? '';
    await app.as(admin).put(`${request}/status`, { status: 'reviewed' }).expect(200);
    await app.as(bob).post('/api/timer/stop').expect(200);

    for (const [name, path] of paths) await expectCorrect(path, earlier.get(name) ?? [], name);
    const changed = { getProject: bob, listProjects: bob, getSession: ann, getMe: ann, getUser: admin };
    for (const [name, user] of Object.entries(changed)) {
      const { text } = await read({ user, locale: 'en' }, paths.get(name) ?? '').expect(200);
      expect(
        earlier.get(name)?.map((response) => response.text),
        name,
      ).not.toContain(text);
    }
  });
});
