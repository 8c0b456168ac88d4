import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { expectInvariants } from '../../../support/invariants.ts';
import { assign, createProject, figures, trueFigures } from '../../../support/records.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

const clock = createTestClock(new Date('2026-11-20T12:00:00.000Z'));
let app: TestApp;
let user: TestUser;
let algebra: number;

beforeAll(async () => {
  app = await startTestApp({ clock });
});
afterAll(async () => {
  await expectInvariants(app);
  await app.stop();
});
beforeEach(async () => {
  user = await app.createUser();
  algebra = await createProject(app, user, 'Algebra');
});

const hour = (number: number) => new Date(Date.UTC(2026, 0, 1, number)).toISOString();
const fileOf = (rows: number, project = 'Algebra') =>
  [
    'project_name,started_at,ended_at',
    ...Array.from({ length: rows }, (_, index) => `${project},${hour(index * 2)},${hour(index * 2 + 1)}`),
  ].join('\n');

async function save(csv: string, dryRun = false) {
  const request = app.as(user).post('/api/sessions/import').field('dry_run', String(dryRun));
  const sent = request.field('create_projects', 'true').attach('file', Buffer.from(csv), 'records.csv');
  return (await sent.expect(200)).body.data;
}
const undo = (id: number, by = user) => app.as(by).delete(`/api/sessions/imports/${id}`);
const records = async (): Promise<{ id: number }[]> =>
  (await app.as(user).get('/api/sessions?order=asc&limit=100').expect(200)).body.data.sessions;

test('deletes the records that an import added, and its projects, and lets the file be imported again', async () => {
  const earlier = { started_at: hour(-5), duration_seconds: 90 };
  await app.as(user).post(`/api/projects/${algebra}/sessions`, earlier).expect(201);
  await save(fileOf(3));
  const done = await save(fileOf(250));
  expect(done).toMatchObject({ imported: 247, duplicates: 3 });
  const body = (await undo(done.import_id).expect(200)).body;
  expect(body).toMatchObject({ message: '247 study records were deleted again.', data: { deleted: 247, kept: 0 } });
  expect(await figures(app, algebra)).toMatchObject({ sessions_count: 4, current_seconds: 90 + 3 * 3600 });
  expect(await figures(app, algebra)).toEqual(await trueFigures(app, algebra));
  const status = (await app.as(user).get(`/api/sessions/imports/${done.import_id}`).expect(200)).body.data;
  expect(status).toMatchObject({ state: 'undone', imported: 0, error: null });
  expect((await undo(done.import_id).expect(409)).body.error.message).toMatch(/^Only an import that has finished/);

  expect(await save(fileOf(250))).toMatchObject({ imported: 247 });
  const created = await save(fileOf(2, 'Botany').replaceAll('2026-01', '2025-01'));
  expect(created).toMatchObject({ imported: 2, created_projects: 1 });
  await undo(created.import_id).expect(200);
  const { projects } = (await app.as(user).get('/api/projects').expect(200)).body.data;
  expect(projects.map(({ name }: { name: string }) => name)).toEqual(['Algebra']);
  await expectInvariants(app);
});

test('keeps records that were edited, also while it runs', async () => {
  const { import_id } = await save(fileOf(4));
  const [first, second, third] = await records();
  await app.as(user).put(`/api/sessions/${first?.id}`, { note: 'mine' }).expect(200);
  await app.as(user).delete(`/api/sessions/${second?.id}`).expect(200);
  const [edited, undone] = await Promise.all([
    app.as(user).put(`/api/sessions/${third?.id}`, { note: 'race' }),
    undo(import_id),
  ]);
  expect([200, 404]).toContain(edited.status);
  const left = await records();
  expect(left.map(({ id }) => id)).toEqual([first?.id, ...(edited.status === 200 ? [third?.id] : [])]);
  expect(undone.body.data).toEqual({ deleted: 3 - left.length, kept: 1 + left.length });
  expect(await figures(app, algebra)).toEqual(await trueFigures(app, algebra));
  await expectInvariants(app);
});

test('is refused for dry runs, for imports of others and while another import runs', async () => {
  const { import_id: checked } = await save(fileOf(1), true);
  await undo(checked).expect(409);
  const { import_id } = await save(fileOf(1));
  await undo(import_id, await app.createUser()).expect(404);
  await undo(import_id, await app.createUser({ role: 'admin' })).expect(404);
  await app.query(
    `INSERT INTO session_imports (user_id, dry_run, created_at, renewed_at) VALUES (${user.id}, true, $1, $1)`,
    [clock().toISOString()],
  );
  expect((await undo(import_id).expect(409)).body.error.message).toMatch(/^You have another import in progress/);
  await app.query(`UPDATE session_imports SET state = 'failed', finished_at = now() WHERE finished_at IS NULL`);
  await undo(import_id).expect(200);
});

test('is completed by a job if its process ends', async () => {
  await assign(app, algebra, await app.createUser());
  const { import_id } = await save(fileOf(3));
  await app.query(`UPDATE session_imports SET state = 'undoing', finished_at = NULL WHERE id = ${import_id}`);
  clock.advance(60_001);
  await app.container.jobs.find((job) => job.name === 'undo interrupted imports')?.run();
  expect(await records()).toEqual([]);
  const [left] = await app.query('SELECT state, imported FROM session_imports WHERE id = $1', [import_id]);
  expect(left).toEqual({ state: 'undone', imported: 0 });
});

test('the stored report is that of the response, also for records that were added after the check', async () => {
  await app.query(`CREATE FUNCTION add_record() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO study_sessions (project_id, owner_id, user_id, started_at, ended_at, source, time_zone)
    VALUES (${algebra}, ${user.id}, ${user.id}, '${hour(0)}', timestamptz '${hour(0)}' + interval '30 minutes', 'manual', 'UTC'); RETURN NEW; END $$`);
  await app.query(`CREATE TRIGGER add_record AFTER UPDATE ON session_imports FOR EACH ROW
    WHEN (OLD.state = 'checking' AND NEW.state = 'writing') EXECUTE FUNCTION add_record()`);
  const request = app.as(user).post('/api/sessions/import').field('dry_run', 'false').field('on_overlap', 'skip');
  const response = await request.attach('file', Buffer.from(fileOf(3)), 'records.csv').expect(200);
  await app.query('DROP FUNCTION add_record CASCADE');
  const { import_id, ...report } = response.body.data;
  expect(report).toMatchObject({ valid: 3, imported: 2, skipped: 1 });
  expect((await app.as(user).get(`/api/sessions/imports/${import_id}`).expect(200)).body.data.report).toEqual(report);
});
