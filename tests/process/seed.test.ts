import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { run, temporaryFolder } from '../support/service-process.ts';
import { startTestApp } from '../support/test-app.ts';

test('npm run seed makes a small school in an empty database, and only there', async () => {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  const settings = { DATABASE_URL: database.url };
  const folder = await temporaryFolder();
  const first = run('src/cli/seed.ts', folder, settings);
  expect(await first.ended).toBe(0);
  expect(first.written.stderr).toBe('');
  const [, records] =
    /2 administrators, 12 students, 30 projects, (\d+) study records/.exec(first.written.stdout) ?? [];
  expect(Number(records)).toBeGreaterThan(1500);
  const password = /password +(\S+)/.exec(first.written.stdout)?.[1] ?? '';

  const app = await startTestApp({ databaseUrl: database.url });
  onTestFinished(app.stop);
  const signIn = async (username: string) => {
    const answer = await app.anonymous.post('/api/auth/login', { username, password }).expect(200);
    return app.as({ id: 0, username, email: '', role: 'user', token: answer.body.data.token });
  };
  const head = await signIn('he.laoshi');
  const { body } = await head.get('/api/projects?limit=100').expect(200);
  expect(body.data.pagination.total).toBe(30);
  const projects: { id: number; name: string; status: string; progress: number }[] = body.data.projects;
  expect(new Set(projects.map(({ status }) => status))).toEqual(new Set(['active', 'paused', 'completed']));
  expect(projects.filter(({ progress }) => progress > 0 && progress < 100).length).toBeGreaterThan(20);

  const student = await signIn('lin.wei');
  const own = await student.get('/api/projects').expect(200);
  expect(own.body.data.projects.map(({ name }: { name: string }) => name)).toContain('高等数学（上）');
  const stats = await student.get('/api/stats').expect(200);
  expect(stats.body.data.total_hours).toBeGreaterThan(100);
  expect(stats.body.data.longest_streak).toBeGreaterThan(5);

  const recalculate = run('src/cli/projects-recalculate.ts', folder, settings);
  expect(await recalculate.ended).toBe(0);

  const second = run('src/cli/seed.ts', folder, settings);
  expect(await second.ended).toBe(1);
  expect(second.written.stderr).toBe(
    'There are users in this database: demo data go into an empty one. Nothing was changed.\n',
  );
}, 120_000);

test.each(['admin-create', 'migrate', 'openapi', 'projects-recalculate', 'seed', 'uploads-prune'])(
  '%s answers --help with its npm script, and needs nothing for it',
  async (name) => {
    const { ended, written } = run(`src/cli/${name}.ts`, await temporaryFolder(), { DATABASE_URL: 'nonsense' }, [
      '--help',
    ]);
    expect([await ended, written.stderr]).toEqual([0, '']);
    expect(written.stdout).toContain(`npm run ${name.replace('-', ':')}`);
  },
  60_000,
);
