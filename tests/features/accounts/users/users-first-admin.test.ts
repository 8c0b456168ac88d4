import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connect } from '../../../../src/boot/composition/database.ts';
import { askNewPassword } from '../../../../src/cli/command.ts';
import { openDatabase } from '../../../../src/db/database.ts';
import { ensureFirstAdmin } from '../../../../src/features/accounts/users/account-creation.ts';
import { studytrack } from '../../../support/service-process.ts';
import { startTestApp, type TestApp } from '../../../support/test-app.ts';

let app: TestApp;
beforeEach(async () => {
  app = await startTestApp();
});
afterEach(() => app.stop());

const input = { username: 'admin', email: 'admin@localhost.localdomain' };
const login = (password: string, username = 'admin') => app.anonymous.post('/api/auth/login', { username, password });

describe('the first administrator', () => {
  test('is the one of the settings, created once when several processes start', async () => {
    const databases = Array.from({ length: 4 }, () => openDatabase({ url: app.databaseUrl, poolSize: 2 }));
    const account = { ...input, password: 'from the settings' };
    await Promise.all(databases.map((database) => ensureFirstAdmin(connect(database), account)));
    await Promise.all(databases.map((database) => database.close()));
    expect(await app.query('SELECT FROM users')).toHaveLength(1);
    const response = await login('from the settings').expect(200);
    expect(response.body.data.user).toMatchObject({ ...input, role: 'admin', status: 'active' });
  });

  test('is not created without a password, and rejected for a taken name', async () => {
    expect(await ensureFirstAdmin(app.container.store, input)).toBe(false);
    await app.createUser({ username: 'Admin' });
    const account = { ...input, password: 'from the settings' };
    await expect(ensureFirstAdmin(app.container.store, account)).rejects.toMatchObject({
      details: [{ field: 'username' }],
    });
  });
});

describe('admin:create', () => {
  const run = (args: readonly string[], password?: string) =>
    studytrack(['admin:create', ...args], {
      DATABASE_URL: app.databaseUrl,
      ...(password && { ADMIN_PASSWORD: password }),
    });
  const lin = ['--username', 'lin', '--email', 'lin@example.org'];

  test('creates an administrator, even if one exists', async () => {
    await app.createUser({ role: 'admin' });
    const result = await run(lin, 'a good password');
    expect(result).toEqual({ code: 0, stdout: 'Administrator lin created.\n', stderr: '' });
    const response = await login('a good password', 'lin').expect(200);
    expect(response.body.data.user.role).toBe('admin');
  });

  test.each([
    ['no names', [], 'a good password', '--username and --email are required (see --help).\n'],
    ['no password', lin, undefined, 'There is no terminal to prompt for the password; set ADMIN_PASSWORD.\n'],
    ['an unknown option', ['--name', 'lin'], undefined, /^Unknown option --name; see --help/],
    [
      'several invalid values',
      ['--username', 'l', '--email', 'lin'],
      'short',
      'username: must have 3 to 32 characters: letters, digits and _ . -\nemail: must be a valid e-mail address\npassword: must have at least 8 characters\n',
    ],
  ])('%s', async (_what, args, password, message) => {
    const result = await run(args, password);
    expect(result).toMatchObject({ code: 1, stdout: '' });
    if (typeof message === 'string') expect(result.stderr).toBe(message);
    else expect(result.stderr).toMatch(message);
    expect(await app.query('SELECT FROM users')).toHaveLength(0);
  });

  test('prints help', async () => {
    const result = await run(['--help']);
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(result.stdout).toContain('studytrack admin:create --username lin --email lin@example.org');
  });
});

test('admin:reset lets an administrator in again, and nobody else', async () => {
  const admin = await app.createUser({ role: 'admin' });
  const student = await app.createUser();
  await app.query(`UPDATE users SET status = 'inactive' WHERE id = $1`, [admin.id]);
  const reset = (username: string) =>
    studytrack(['admin:reset', '--username', username], {
      ...{ DATABASE_URL: app.databaseUrl, ADMIN_PASSWORD: 'a better password' },
    });
  expect(await reset(admin.username)).toMatchObject({ code: 0, stderr: '' });
  await login('a better password', admin.username).expect(200);
  expect(await reset(student.username)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      `^There is no administrator ${student.username}. There are: .*\\b${admin.username}\\b.*\\.\n$`,
    ),
  });
});

describe('prompting for a password', () => {
  function terminal() {
    const [input, output] = [new PassThrough(), new PassThrough()];
    return { input, output, shown: () => String(output.read() ?? '') };
  }

  test('asks twice without echoing it', async () => {
    const { input, output, shown } = terminal();
    const prompt = askNewPassword({ input, output });
    input.write('a good password\r');
    input.write('a good password\r');
    expect(await prompt).toBe('a good password');
    expect(shown()).toBe('Password: \nRepeat the password: \n');
  });

  test('rejects two different ones and a cancelled input', async () => {
    const first = terminal();
    const prompt = askNewPassword(first);
    first.input.write('a good password\ra god password\r');
    await expect(prompt).rejects.toThrow('The passwords do not match.');

    const second = terminal();
    const cancelled = askNewPassword(second);
    second.input.write('\u0003');
    await expect(cancelled).rejects.toThrow('Cancelled; nothing was changed.');
  });
});
