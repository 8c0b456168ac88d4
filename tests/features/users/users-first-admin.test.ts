import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { provideFirstAdmin } from '../../../src/boot/first-admin.ts';
import { askNewPassword } from '../../../src/cli/ask-password.ts';
import { readConfig } from '../../../src/config.ts';
import { openDatabase } from '../../../src/db/database.ts';
import { ensureFirstAdmin } from '../../../src/features/users/first-admin.ts';
import { createStore } from '../../../src/store.ts';
import { strongSecret } from '../../support/secrets.ts';
import { studytrack } from '../../support/service-process.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

let app: TestApp;
beforeEach(async () => {
  app = await startTestApp();
});
afterEach(() => app.stop());

const saveNothing = async () => undefined;
const input = { username: 'admin', email: 'admin@localhost.localdomain' };
const login = (password: string, username = 'admin') => app.anonymous.post('/api/auth/login', { username, password });

describe('the first administrator', () => {
  test('is created with a password that is shown once', async () => {
    const password = await ensureFirstAdmin(app.container.store, input, saveNothing);
    expect(password).toMatch(/^[0-9a-z]{16}$/);
    const answer = await login(password ?? '').expect(200);
    expect(answer.body.data.user).toMatchObject({ ...input, role: 'admin', status: 'active' });
    expect(await ensureFirstAdmin(app.container.store, { ...input, username: 'other' }, saveNothing)).toBeNull();
    expect(await app.query('SELECT FROM users')).toHaveLength(1);
  });

  test('in production is not created without a password; how to create one is printed', async () => {
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    onTestFinished(() => written.mockRestore());
    const settings = {
      NODE_ENV: 'production',
      JWT_SECRET: strongSecret,
      DATABASE_URL: app.databaseUrl,
    };
    const config = readConfig(settings);
    expect(await provideFirstAdmin(config, app.database)).toBeUndefined();
    expect(written.mock.calls.join()).toContain('studytrack admin:create --username NAME --email ADDRESS');
    await app.createUser({ role: 'admin' });
    written.mockClear();
    expect(await provideFirstAdmin(config, app.database)).toBeUndefined();
    expect(written).not.toHaveBeenCalled();
  });

  test('takes the password of the settings', async () => {
    expect(
      await ensureFirstAdmin(app.container.store, { ...input, password: 'from the settings' }, saveNothing),
    ).toBeNull();
    await login('from the settings').expect(200);
  });

  test('is one, however many processes start', async () => {
    const databases = Array.from({ length: 4 }, () => openDatabase({ url: app.databaseUrl, poolSize: 2 }));
    const passwords = await Promise.all(
      databases.map((database) => ensureFirstAdmin(createStore(database), input, saveNothing)),
    );
    await Promise.all(databases.map((database) => database.close()));
    expect(passwords.filter((password) => password !== null)).toHaveLength(1);
    expect(await app.query('SELECT FROM users')).toHaveLength(1);
  });

  test('is created only when the password could be stored before; otherwise the next start creates it', async () => {
    const seen = () => app.query('SELECT username FROM users');
    const kept: string[] = [];
    const full = async (password: string) => {
      kept.push(password);
      expect(await seen()).toEqual([]);
      throw new Error('no space left on device');
    };
    await expect(ensureFirstAdmin(app.container.store, input, full)).rejects.toThrow('no space left');
    expect(await seen()).toEqual([]);

    const password = await ensureFirstAdmin(app.container.store, input, async (made) => void kept.push(made));
    expect(kept).toEqual([expect.any(String), password]);
    await login(password ?? '').expect(200);
  });

  test('is refused when the settings are wrong or the name is taken', async () => {
    await expect(
      ensureFirstAdmin(app.container.store, { ...input, password: 'short' }, saveNothing),
    ).rejects.toMatchObject({
      details: [{ field: 'password' }],
    });
    await app.createUser({ username: 'Admin' });
    await expect(ensureFirstAdmin(app.container.store, input, saveNothing)).rejects.toMatchObject({
      details: [{ field: 'username' }],
    });
  });
});

describe('admin:create', () => {
  const run = (words: readonly string[], password?: string) =>
    studytrack(['admin:create', ...words], {
      DATABASE_URL: app.databaseUrl,
      ...(password && { ADMIN_PASSWORD: password }),
    });
  const lin = ['--username', 'lin', '--email', 'lin@example.org'];

  test('makes an administrator, also when there is one', async () => {
    await app.createUser({ role: 'admin' });
    const done = await run(lin, 'a good password');
    expect(done).toEqual({ code: 0, stdout: 'Administrator lin created.\n', stderr: '' });
    const answer = await login('a good password', 'lin').expect(200);
    expect(answer.body.data.user.role).toBe('admin');
  });

  test.each([
    ['no names', [], 'a good password', '--username and --email are required (see --help).\n'],
    ['no password', lin, undefined, 'There is no terminal to prompt for the password; set ADMIN_PASSWORD.\n'],
    ['an unknown option', ['--name', 'lin'], undefined, /--name.*see --help/s],
    [
      'wrong values, all named at once',
      ['--username', 'l', '--email', 'lin'],
      'short',
      'username: must have 3 to 32 characters: letters, digits and _ . -\nemail: must be a valid e-mail address\npassword: must have at least 8 characters\n',
    ],
  ])('%s', async (_what, args, password, complaint) => {
    const done = await run(args, password);
    expect(done).toMatchObject({ code: 1, stdout: '' });
    if (typeof complaint === 'string') expect(done.stderr).toBe(complaint);
    else expect(done.stderr).toMatch(complaint);
    expect(await app.query('SELECT FROM users')).toHaveLength(0);
  });

  test('explains itself', async () => {
    const done = await run(['--help']);
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(done.stdout).toContain('studytrack admin:create --username lin --email lin@example.org');
  });
});

describe('asking for a password', () => {
  function terminal() {
    const [input, output] = [new PassThrough(), new PassThrough()];
    return { input, output, shown: () => String(output.read() ?? '') };
  }

  test('twice, and nothing of it is shown', async () => {
    const { input, output, shown } = terminal();
    const asked = askNewPassword({ input, output });
    input.write('a good password\r');
    input.write('a good password\r');
    expect(await asked).toBe('a good password');
    expect(shown()).toBe('Password: \nRepeat the password: \n');
  });

  test('two that differ are refused, and so is an end of the input', async () => {
    const first = terminal();
    const asked = askNewPassword(first);
    first.input.write('a good password\ra god password\r');
    await expect(asked).rejects.toThrow('The passwords do not match.');

    const second = terminal();
    const cancelled = askNewPassword(second);
    second.input.write('\u0003');
    await expect(cancelled).rejects.toThrow('Cancelled; nothing was changed.');
  });
});
