import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { strongSecret } from '../support/secrets.ts';
import { run, temporaryFolder } from '../support/service-process.ts';
import { startTestApp } from '../support/test-app.ts';

test('seed creates a small school in an empty database, and only there', async () => {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  const settings = { DATABASE_URL: database.url };
  const folder = await temporaryFolder();
  const first = run('src/cli/main.ts', folder, settings, ['seed']);
  expect(await first.ended).toBe(0);
  expect(first.written.stderr).toBe('');
  const [, records] = /2 teachers, 17 students, 31 projects, (\d+) study records/.exec(first.written.stdout) ?? [];
  expect(Number(records)).toBeGreaterThan(1000);
  const password = /password +(\S+)/.exec(first.written.stdout)?.[1] ?? '';

  const app = await startTestApp({ databaseUrl: database.url });
  onTestFinished(app.stop);
  const signIn = async (username: string) => {
    const answer = await app.anonymous.post('/api/auth/login', { username, password }).expect(200);
    return app.as({ id: 0, username, email: '', role: 'user', token: answer.body.data.token });
  };
  const head = await signIn('he.laoshi');
  const { body } = await head.get('/api/projects?limit=100').expect(200);
  expect(body.data.pagination.total).toBe(31);
  const projects: { id: number; name: string; status: string; progress: number; created_at: string }[] =
    body.data.projects;
  expect(new Set(projects.map(({ status }) => status))).toEqual(new Set(['active', 'paused', 'completed']));
  expect(projects.filter(({ progress }) => progress > 0 && progress < 100).length).toBeGreaterThan(15);
  const age = ({ created_at }: { created_at: string }) => (Date.now() - Date.parse(created_at)) / 86_400_000;
  expect(Math.min(...projects.map(age))).toBeGreaterThan(90);

  const { users } = (await head.get('/api/admin/progress?limit=100').expect(200)).body.data;
  type Standing = {
    groups: object[];
    goals: Record<'behind' | 'ahead' | 'total', number>;
    last_session: string | null;
  };
  const shows: Record<string, (student: Standing) => boolean> = {
    'in a class': ({ groups }) => groups.length > 0,
    behind: ({ goals }) => goals.behind > 0,
    ahead: ({ goals }) => goals.total > 0 && goals.ahead === goals.total,
    'on track': ({ goals }) => goals.total > 0 && goals.behind === 0,
    'not started': ({ last_session }) => last_session === null,
  };
  expect(users.filter(({ goals }: Standing) => goals.behind === 0).length).toBeGreaterThan(users.length / 3);
  for (const [what, is] of Object.entries(shows)) expect(users.filter(is).length, what).toBeGreaterThan(0);
  const silent = await head.get('/api/admin/progress?inactive_days=7').expect(200);
  expect(silent.body.data.pagination.total).toBeGreaterThan(1);

  const inbox = await head.get('/api/admin/contact-requests').expect(200);
  expect(inbox.body.data.requests.map(({ status }: { status: string }) => status).toSorted()).toEqual([
    'pending',
    'pending',
    'pending',
    'resolved',
    'reviewed',
  ]);
  const student = await signIn('lin.wei');
  const own = await student.get('/api/projects').expect(200);
  expect(own.body.data.projects.map(({ name }: { name: string }) => name)).toContain('高等数学（上）');
  const stats = await student.get('/api/stats').expect(200);
  expect(stats.body.data.total_hours).toBeGreaterThan(100);
  expect(stats.body.data.longest_streak).toBeGreaterThan(5);

  const awards = (await student.get('/api/achievements').expect(200)).body.data;
  expect(awards.filter(({ earned_at }: { earned_at: string | null }) => earned_at !== null).length).toBeGreaterThan(2);

  const today = new Date().toISOString().slice(0, 10);
  const [term] = (await head.get('/api/admin/terms').expect(200)).body.data;
  expect(term.from < today && today < term.to).toBe(true);
  const holidays = (await head.get('/api/admin/school-days').expect(200)).body.data;
  expect(holidays).toMatchObject([{ kind: 'off', group_id: null, school_days: 5 }]);
  expect(term.from < holidays[0].from && holidays[0].to < today).toBe(true);
  const teacher = await signIn('thomas.reid');
  const seen = (await teacher.get('/api/admin/users?limit=100').expect(200)).body.data.users;
  const names = seen.map(({ username }: { username: string }) => username).toSorted();
  expect(names).toEqual(['ava.johnson', 'emma.clark', 'mia.wilson', 'noah.brown', 'oliver.hughes', 'sofia.rossi']);
  await teacher.get('/api/admin/audit').expect(403);

  const recalculate = run('src/cli/main.ts', folder, settings, ['projects:recalculate']);
  expect(await recalculate.ended).toBe(0);

  const second = run('src/cli/main.ts', folder, settings, ['seed']);
  expect(await second.ended).toBe(1);
  expect(second.written.stderr).toMatch(
    /^This database has accounts; .* Nothing was changed\. To get an empty database, /,
  );
});

test('in production demo data are refused, unless forced; the administrator of the first start does not prevent them', async () => {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  const settings = {
    DATABASE_URL: database.url,
    NODE_ENV: 'production',
    JWT_SECRET: strongSecret,
    ADMIN_PASSWORD: 'correct horse battery',
  };
  const folder = await temporaryFolder();
  const create = ['admin:create', '--username', 'first', '--email', 'first@example.org'];
  expect(await run('src/cli/main.ts', folder, settings, create).ended).toBe(0);
  const refused = run('src/cli/main.ts', folder, settings, ['seed']);
  expect(await refused.ended).toBe(1);
  expect(refused.written.stderr).toMatch(/^The example school is not allowed with NODE_ENV=production/);
  const forced = run('src/cli/main.ts', folder, settings, ['seed', '--force']);
  expect([await forced.ended, forced.written.stderr]).toEqual([0, '']);
});

test('two accounts are more than the first start creates: demo data are refused', async () => {
  const app = await startTestApp();
  onTestFinished(app.stop);
  for (let round = 0; round < 2; round += 1) await app.createUser({ role: 'admin' });
  const refused = run('src/cli/main.ts', await temporaryFolder(), { DATABASE_URL: app.databaseUrl }, ['seed']);
  expect(await refused.ended).toBe(1);
  expect(refused.written.stderr).toMatch(/^This database has accounts;/);
});
