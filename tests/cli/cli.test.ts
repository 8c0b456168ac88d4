import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { withDatabase } from '../../src/cli/command.ts';
import { createTestDatabase } from '../support/database.ts';
import { studytrack as runCommand, temporaryFolder } from '../support/service-process.ts';

const names = [
  'migrate',
  'admin:create',
  'admin:reset',
  'doctor',
  'backup',
  'restore',
  'seed',
  'projects:recalculate',
  'retention',
  'uploads:prune',
  'openapi',
];

const studytrack = (...args: string[]) => runCommand(args, { DATABASE_URL: 'nonsense' });

test('--help lists every command', async () => {
  const { code, stdout, stderr } = await studytrack('--help');
  expect([code, stderr]).toEqual([0, '']);
  for (const name of ['start', ...names]) expect(stdout).toContain(`  ${name} `);
});

test.each([...names, 'start'])('%s --help needs no settings', async (name) => {
  const { code, stdout, stderr } = await studytrack(name, '--help');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain(`studytrack ${name}`);
});

test.each([
  ['migrat', 'Unknown command "migrat"; did you mean migrate?\n'],
  ['admin-create', 'Unknown command "admin-create"; did you mean admin:create?\n'],
  ['constructor', 'Unknown command "constructor"; see --help\n'],
])('the unknown command %s is rejected, with a suggestion where one is close', async (name, line) => {
  expect(await studytrack(name)).toEqual({ code: 1, stdout: '', stderr: line });
});

test('an unknown option or subcommand is rejected', async () => {
  expect(await studytrack('seed', '--fast')).toMatchObject({
    code: 1,
    stderr: 'Unknown option --fast; see --help\n',
  });
  expect(await studytrack('backup', '--too', 'x')).toMatchObject({
    code: 1,
    stderr: 'Unknown option --too; did you mean --to?\n',
  });
  expect(await studytrack('start', '--prot', '4000')).toMatchObject({
    code: 1,
    stderr: 'Unknown option --prot; did you mean --port?\n',
  });
  expect(await studytrack('migrate', 'sideways')).toMatchObject({
    code: 1,
    stderr: 'Unknown subcommand "sideways" (see --help).\n',
  });
});

test('doctor names what has to be changed', async () => {
  const db = await createTestDatabase();
  onTestFinished(db.drop);
  const settings = { DATABASE_URL: db.url, PUBLIC_URL: 'https://study.example.org' };
  expect(await runCommand(['doctor'], { ...settings, TRUST_PROXY: '1' })).toMatchObject({ code: 0, stderr: '' });
  const unreachable = { SMTP_URL: 'smtp://127.0.0.1:1', STORAGE_URL: 's3://key:secret@127.0.0.1:1/bucket' };
  const { code, stdout } = await runCommand(['doctor'], { ...settings, ...unreachable });
  expect(code).toBe(1);
  expect(stdout).toMatch(/^PROBLEM {2}images: connection refused .*STORAGE_URL/m);
  expect(stdout).toMatch(/^PROBLEM {2}mail: .*ECONNREFUSED.*SMTP_URL/m);
  expect(stdout).toMatch(/^PROBLEM {2}proxy: .*TRUST_PROXY/m);
});

test('doctor names a database whose locale knows no Chinese letters', async () => {
  const db = await createTestDatabase();
  onTestFinished(db.drop);
  const name = `${new URL(db.url).pathname.slice(1)}_c`;
  onTestFinished(() => db.sql.query(`DROP DATABASE ${name} WITH (FORCE)`).then(() => undefined));
  await db.sql.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' LOCALE_PROVIDER libc LOCALE 'C'`);
  const doctor = async (url: string) => (await runCommand(['doctor'], { DATABASE_URL: url })).stdout;
  expect(await doctor(db.url)).toMatch(/^ok {7}locale$/m);
  const url = db.url.replace(/[^/?]+(?=\?|$)/, name);
  expect(await doctor(url)).toMatch(/^PROBLEM {2}locale: .*C\.UTF-8/m);
});

test('doctor names time zones for which PostgreSQL and Node.js have different rules', async () => {
  const db = await createTestDatabase();
  onTestFinished(db.drop);
  const doctor = async () => (await runCommand(['doctor'], { DATABASE_URL: db.url })).stdout;
  const addUser = (name: string, zone: string) =>
    db.sql.query(
      `INSERT INTO users (username, email, display_name, password_hash, timezone) VALUES ($1, $1 || '@example.org', $1, '', $2)`,
      [name, zone],
    );
  await addUser('lin', 'Asia/Shanghai');
  expect(await doctor()).toMatch(/^ok {7}time zones$/m);
  // For PostgreSQL three hours behind UTC, as in POSIX; for Node.js three hours ahead, or no zone.
  await addUser('wei', '+03:00');
  expect(await doctor()).toMatch(/^PROBLEM {2}time zones: PostgreSQL and Node\.js .* different rules for \+03:00: /m);
});

test('doctor tells whether the scheduled backups are written', async () => {
  const db = await createTestDatabase();
  onTestFinished(db.drop);
  const settings = { DATABASE_URL: db.url, BACKUP_SCHEDULE: '6h', BACKUP_TO: path.join(await temporaryFolder(), 'to') };
  const doctor = async (given = {}) => (await runCommand(['doctor'], { ...settings, ...given })).stdout;
  expect(await doctor()).toMatch(/^PROBLEM {2}backups: There is none yet/m);
  const complete = "file = 'a.tgz', bytes = 1, started_at = $1::timestamptz, finished_at = $1";
  await db.sql.query(`UPDATE backup_status SET ${complete}`, [new Date()]);
  expect(await doctor()).toMatch(/^ok {7}backups$/m);
  expect(await doctor({ BACKUP_TO: '/proc/version' })).toMatch(/^PROBLEM {2}backups: BACKUP_TO cannot be written/m);
  await db.sql.query(`UPDATE backup_status SET ${complete}`, [new Date(Date.now() - 9 * 3_600_000)]);
  expect(await doctor()).toMatch(/^PROBLEM {2}backups: The last one is of .* BACKUP_SCHEDULE is 6h/m);
  await db.sql.query(
    `UPDATE backup_status SET failures = 1, failing_since = now(), failed_at = now(), error = 'permission denied (EACCES)'`,
  );
  expect(await doctor()).toMatch(/^PROBLEM {2}backups: The last attempt failed at .*: permission denied/m);
});

test("a command's statements have no timeout, unlike those of requests", async () => {
  const db = await createTestDatabase();
  onTestFinished(db.drop);
  vi.stubEnv('DATABASE_URL', db.url);
  onTestFinished(() => void vi.unstubAllEnvs());
  const settings = await withDatabase(
    ({ knex }) => knex('pg_settings').select('name', 'setting').where('name', 'like', '%_timeout'),
    { migrate: false },
  );
  expect(settings).toContainEqual({ name: 'statement_timeout', setting: '0' });
  expect(settings).toContainEqual({ name: 'idle_in_transaction_session_timeout', setting: '0' });
  expect(settings).toContainEqual({ name: 'lock_timeout', setting: '7000' });
});
