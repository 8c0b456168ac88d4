import { readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as backgroundJobs from '../../../../src/features/operations/background-work/background-job-repository.ts';
import { type Account, createAccount, type SignedIn, signIn } from '../../../support/accounts.ts';
import { finishJob, runJob } from '../../../support/contact.ts';
import { onePixel } from '../../../support/one-pixel.ts';
import { downloadExport } from '../../../support/personal-export.ts';
import { assign, createProject } from '../../../support/records.ts';
import { startS3Server } from '../../../support/servers/s3-server.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

const minute = 60_000;
const hour = 60 * minute;
const clock = createTestClock();
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ clock });
});
afterAll(() => app.stop());

const request = (user: TestUser, at = app) => at.as(user).post('/api/me/export');
const state = async (user: TestUser, at = app) => (await at.as(user).get('/api/me/export').expect(200)).body.data;
const write = (at = app) => finishJob(at, 'write personal exports');
const folder = () => join(app.container.config.images.uploadsDir, 'exports');
const files = () => readdir(folder()).catch(() => []);

const json = (archive: Map<string, Buffer>, name: string) => JSON.parse(archive.get(name)?.toString() ?? '');

const record = (user: TestUser, project: number, body: object) =>
  app.as(user).post(`/api/projects/${project}/sessions`, body).expect(201);

async function student(): Promise<{ account: Account; user: SignedIn }> {
  const account = await createAccount(app);
  return { account, user: await signIn(app, account) };
}

describe('the archive', () => {
  test('contains account, projects, records, assignments, awards and sign-ins as the API returns them, and the images', async () => {
    const { user } = await student();
    const teacher = await app.createUser({ role: 'admin' });
    const own = await createProject(app, user, 'Äpfel, "Birnen"');
    const trashed = await createProject(app, user, '=cmd()');
    const given = await createProject(app, teacher, 'Given');
    const foreign = await createProject(app, teacher, 'Foreign');
    await assign(app, given, user);
    await app
      .as(user)
      .post(`/api/projects/${own}/image`)
      .attach('image', await onePixel(), 'a.png')
      .expect(200);
    for (const day of ['2026-02-01', '2026-02-02'])
      await record(user, own, { started_at: `${day}T08:00:00Z`, duration_seconds: 5400, note: '学习, "a"' });
    await record(teacher, foreign, { started_at: '2026-02-01T08:00:00Z', duration_seconds: 60 });
    await app.as(user).delete(`/api/projects/${trashed}`).expect(200);

    const requested = await request(user).expect(202);
    expect(requested.body.data).toMatchObject({ state: 'pending', bytes: null, expires_at: null });
    await app.as(user).get('/api/me/export/file').expect(404);
    await write();
    const ready = await state(user);
    expect(ready).toMatchObject({ id: requested.body.data.id, state: 'ready' });
    expect(Date.parse(ready.expires_at) - Date.parse(ready.finished_at)).toBe(24 * hour);

    const archive = await downloadExport(app, user);
    const get = async (path: string) => (await app.as(user).get(path).expect(200)).body.data;
    expect(json(archive, 'account.json')).toEqual(await get('/api/auth/me'));
    const { projects } = await get('/api/projects?sort=id&order=asc');
    const exported: { id: number; deleted_at: string | null }[] = json(archive, 'projects.json');
    expect(exported.map(({ id }) => id)).toEqual([own, trashed, given]);
    const existing = exported.filter(({ deleted_at }) => deleted_at === null);
    expect(existing.map(({ deleted_at, ...project }) => project)).toEqual(projects);
    const { sessions } = await get('/api/sessions?order=asc');
    expect(json(archive, 'records.json')).toEqual(sessions);
    const csv = await app.as(user).get('/api/sessions/export?format=csv&order=asc').expect(200);
    expect(archive.get('records.csv')?.toString()).toBe(csv.text);
    expect(json(archive, 'assignments.json')).toMatchObject([{ project_id: given, project_name: 'Given' }]);
    const awards: { earned_at: string | null; requires?: unknown }[] = await get('/api/achievements');
    const earned = awards.filter(({ earned_at }) => earned_at !== null).map(({ requires, ...award }) => award);
    expect(earned.length).toBeGreaterThan(0);
    expect(json(archive, 'awards.json')).toEqual(earned);
    const signIns: object[] = await get('/api/auth/sign-ins');
    expect(signIns).toMatchObject(json(archive, 'sign-ins.json'));
    const { image } = projects.find(({ id }: { id: number }) => id === own);
    const shown = Buffer.from(await (await fetch(new URL(image, app.origin))).arrayBuffer());
    expect(archive.get(`images/project-${own}.${image.split('.').at(-1)}`)?.equals(shown)).toBe(true);
    expect(archive.get('projects.csv')?.toString()).toContain('"Äpfel, ""Birnen"""');
    expect(archive.get('projects.csv')?.toString()).toContain(`"'=cmd()"`);
    expect(json(archive, 'manifest.json')).toMatchObject({ format: 1, images_left_out: [] });
    const lists = ['assignments', 'projects', 'records'].flatMap((name) => [`${name}.csv`, `${name}.json`]);
    const single = ['account', 'awards', 'groups', 'manifest', 'sign-ins', 'tokens'].map((name) => `${name}.json`);
    expect([...archive.keys()].filter((name) => !name.startsWith('images/')).sort()).toEqual(
      [...lists, ...single].sort(),
    );
  });

  test('of an administrator contains only their own data', async () => {
    const admin = await signIn(app, await createAccount(app, { role: 'admin' }));
    const own = await createProject(app, await app.createUser(), 'Of somebody');
    await request(admin).expect(202);
    await write();
    const archive = await downloadExport(app, admin);
    expect(json(archive, 'projects.json')).toEqual([]);
    expect(json(archive, 'records.json')).toEqual([]);
    expect(own).toBeGreaterThan(0);
  });

  test('of several parts is complete', async () => {
    const { user } = await student();
    const project = await createProject(app, user, 'Long');
    await app.query(
      `INSERT INTO study_sessions (user_id, owner_id, project_id, started_at, ended_at, note, source, time_zone)
       SELECT $1, (SELECT user_id FROM projects WHERE id = $2), $2, t, t + interval '1 minute', (SELECT string_agg(md5(n::text || k), '') FROM generate_series(1, 15) k), 'manual', 'UTC'
       FROM generate_series(1, 4000) n, LATERAL (SELECT timestamptz '2020-01-01' + n * interval '2 minutes' AS t) AS at`,
      [user.id, project],
    );
    await request(user).expect(202);
    await write();
    const names = await files();
    expect(names.filter((name) => name.endsWith('-2.part')).length).toBeGreaterThan(0);
    expect(json(await downloadExport(app, user), 'records.json')).toHaveLength(4000);
  });
});

describe('a request', () => {
  test('is limited to one in progress across processes, and to three per day', async () => {
    const { user } = await student();
    const second = await startTestApp({ databaseUrl: app.databaseUrl, clock });
    const responses = await Promise.all(Array.from({ length: 8 }, (_, n) => request(user, n % 2 === 0 ? app : second)));
    expect(responses.map(({ status }) => status).sort()).toEqual([202, ...Array(7).fill(409)]);
    await write();
    for (let time = 0; time < 2; time += 1) {
      await request(user).expect(202);
      await write();
    }
    const rejected = await request(user).expect(429);
    expect(rejected.headers['ratelimit-policy']).toBe('"personal-exports"; q=3; w=86400');
    await second.stop();

    // Only the latest can be downloaded.
    for (const name of await files()) await utimes(join(folder(), name), new Date(0), new Date(0));
    await runJob(app, 'delete personal exports');
    const archives = await app.query<{ file_id: string }>(
      'SELECT file_id FROM personal_exports WHERE user_id = $1 ORDER BY id',
      [user.id],
    );
    const kept = new Set((await files()).map((name) => name.slice(0, 36)));
    expect(archives.map(({ file_id }) => kept.has(file_id))).toEqual([false, false, true]);
  });

  test('is not accessible to other users, anonymously, or after deactivation or deletion', async () => {
    const { user } = await student();
    const { user: other } = await student();
    await request(user).expect(202);
    await write();
    expect(await state(other)).toBeNull();
    await app.as(other).get('/api/me/export/file').expect(404);
    await app.anonymous.get('/api/me/export/file').expect(401);

    const admin = await app.createUser({ role: 'admin' });
    const { user: idle } = await student();
    await request(idle).expect(202);
    await app.as(admin).put(`/api/admin/users/${idle.id}`, { status: 'inactive' }).expect(200);
    await write();
    const left = await app.query('SELECT state FROM personal_exports WHERE user_id = $1', [idle.id]);
    expect(left).toEqual([{ state: 'failed' }]);

    await app.as(admin).delete(`/api/admin/users/${user.id}`).expect(200);
    expect(await app.query('SELECT FROM personal_exports WHERE user_id = $1', [user.id])).toEqual([]);
  });

  test('is deleted after a day, together with orphaned files', async () => {
    const { user } = await student();
    await request(user).expect(202);
    await write();
    const before = await files();
    expect(before.length).toBeGreaterThan(0);
    await runJob(app, 'delete personal exports');
    expect(await files()).toEqual(before); // too recent, or in use
    clock.advance(24 * hour);
    expect(await app.query('SELECT state FROM personal_exports WHERE user_id = $1', [user.id])).toHaveLength(1);
    const again = await startTestApp({ databaseUrl: app.databaseUrl, clock });
    await again.stop();
    for (const name of before) await utimes(join(folder(), name), new Date(0), new Date(0));
    await runJob(app, 'delete personal exports');
    expect(await app.query('SELECT FROM personal_exports')).toEqual([]);
    expect(await files()).toEqual([]);
  });
});

test('works with an S3-compatible store and several processes', async () => {
  const s3 = await startS3Server('study');
  const settings = { STORAGE_URL: `s3+http://${s3.accessKey}:${s3.secret}@127.0.0.1:${s3.port}/study` };
  const [first, second] = await Promise.all([
    startTestApp({ databaseUrl: app.databaseUrl, clock, settings }),
    startTestApp({ databaseUrl: app.databaseUrl, clock, settings }),
  ]);
  const user = await signIn(app, await createAccount(app));
  await request(user, first).expect(202);
  await Promise.all([write(first), write(second)]);
  expect((await state(user, second)).state).toBe('ready');
  expect(json(await downloadExport(second, user), 'account.json').id).toBe(user.id);
  await Promise.all([first.stop(), second.stop()]);
  await s3.stop();
});

describe('an attempt', () => {
  test('of a killed process is restarted when its lease expires', async () => {
    const { user } = await student();
    await request(user).expect(202);
    const leaseEnd = new Date(clock().getTime() + 10 * minute);
    const claim = { kind: 'personal_export', queue: '', now: clock(), leaseEnd };
    expect(await backgroundJobs.claimNext(app.container.store, claim)).toBeDefined();
    await write();
    expect((await state(user)).state).toBe('pending');
    clock.advance(10 * minute);
    await write();
    expect((await state(user)).state).toBe('ready');
    expect(json(await downloadExport(app, user), 'account.json').id).toBe(user.id);
  });

  test('that fails is retried with increasing delays without blocking others; after five the export has failed', async () => {
    const { account, user } = await student();
    await request(user).expect(202);
    const { incomingDir } = app.container.config;
    const attempts = async () => {
      const [job] = await app.query<{ failures: number }>('SELECT failures FROM background_jobs');
      return job?.failures;
    };
    for (let failures = 1; failures <= 5; failures += 1) {
      await rename(incomingDir, `${incomingDir}-away`);
      await writeFile(incomingDir, 'not a directory');
      await write();
      await rm(incomingDir);
      await rename(`${incomingDir}-away`, incomingDir);
      expect(await attempts()).toBe(failures);
      if (failures === 1) {
        const { user: other } = await student();
        await request(other).expect(202);
        await write();
        expect((await state(other)).state).toBe('ready');
      }
      clock.advance(10 * 2 ** (failures - 1) * minute - 1);
      await write();
      expect(await attempts()).toBe(failures);
      clock.advance(1);
    }
    await write();
    const again = await signIn(app, account);
    expect((await state(again)).state).toBe('failed');
    expect(await attempts()).toBeUndefined();
  });
});
