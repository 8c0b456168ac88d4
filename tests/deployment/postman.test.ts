import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { renderPostman } from '../../scripts/postman.ts';
import { projectRoot } from '../../src/project-root.ts';
import { createAccount } from '../support/accounts.ts';
import { contactSettings, finishJob } from '../support/contact.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

const folder = path.join(projectRoot, 'docs/postman');
const files = {
  collection: path.join(folder, 'studytrack.postman_collection.json'),
  environment: path.join(folder, 'local.postman_environment.json'),
};

type Report = {
  failures: { source?: { name: string }; error: { message: string } }[];
  stats: Record<'requests' | 'assertions', { total: number }>;
};

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ settings: { ...contactSettings, CONTACT_PER_HOUR: '0' } });
});
afterAll(() => app.stop());

test('the collection is up to date (otherwise: npm run openapi)', async () => {
  const { collection, environment } = await renderPostman();
  expect(JSON.parse(await readFile(files.collection, 'utf8'))).toEqual(JSON.parse(collection));
  expect(JSON.parse(await readFile(files.environment, 'utf8'))).toEqual(JSON.parse(environment));
});

test('a failed sign-in ends the run, and its failure has the message of the response', async () => {
  const file = path.join(await mkdtemp(path.join(os.tmpdir(), 'studytrack-postman-')), 'report.json');
  onTestFinished(() => rm(path.dirname(file), { recursive: true }));
  const args = ['tools/run.js', 'newman', 'run', files.collection, '--environment', files.environment];
  const report = ['--reporters', 'json', '--reporter-json-export', file, '--suppress-exit-code'];
  await promisify(execFile)(process.execPath, [...args, '--env-var', `baseUrl=${app.origin}`, ...report], {
    cwd: projectRoot,
  });
  const { run }: { run: Report } = JSON.parse(await readFile(file, 'utf8'));
  expect(run.stats.requests.total).toBe(1);
  expect(run.failures.map(({ error }) => error.message).join()).toContain('invalid');
});

/** A proxy that answers with an error where a request or a response is not as docs/openapi.json says. */
async function startValidatingProxy(): Promise<string> {
  const program = path.join(projectRoot, 'tools/node_modules/.bin/prism');
  const args = ['proxy', path.join(projectRoot, 'docs/openapi.json'), app.origin, '--errors', '--port', '0'];
  const proxy = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void proxy.kill());
  let output = '';
  proxy.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const listening = () => /listening on (http:\S+)/.exec(output)?.[1] ?? '';
  await expect.poll(listening).not.toBe('');
  return listening();
}

test('every request of the collection succeeds in order, also through a validating proxy, and leaves nothing changed', async () => {
  const admin = await createAccount(app, { role: 'admin', display_name: 'Admin' });
  const folderOfReport = await mkdtemp(path.join(os.tmpdir(), 'studytrack-postman-'));
  onTestFinished(() => rm(folderOfReport, { recursive: true }));
  const file = path.join(folderOfReport, 'report.json');
  const args = [
    ...['tools/run.js', 'newman', 'run', files.collection, '--environment', files.environment, '--working-dir', folder],
    ...['--env-var', `username=${admin.username}`, '--env-var', `password=${admin.password}`],
    ...['--reporters', 'json', '--reporter-json-export', file, '--suppress-exit-code'],
  ];
  const run = async (origin: string): Promise<Report> => {
    await promisify(execFile)(process.execPath, [...args, '--env-var', `baseUrl=${origin}`], { cwd: projectRoot });
    return JSON.parse(await readFile(file, 'utf8')).run;
  };
  const state = async () => ({
    admin: await app.query(
      'SELECT display_name, locale, timezone, week_start, day_start_hour, rest_weekdays, daily_goal_minutes, weekly_goal_minutes, streak_reminder_hour, weekly_mail FROM users WHERE id = $1',
      [admin.id],
    ),
    projects: await app.query('SELECT name FROM projects WHERE deleted_at IS NULL'),
    users: await app.query("SELECT username FROM users WHERE username NOT LIKE 'deleted-%' ORDER BY id"),
    others: await app.query(
      'SELECT 1 FROM groups UNION ALL SELECT 2 FROM webhooks UNION ALL SELECT 3 FROM contact_requests',
    ),
  });
  const before = await state();
  const proxy = await startValidatingProxy();
  for (const origin of [app.origin, proxy]) {
    const report = await run(origin);
    const failures = report.failures.map(({ source, error }) => `${source?.name}: ${error.message}`);
    const isBinary = (failure: string) => failure.startsWith('Upload the cover image'); // the proxy sends text only
    expect(failures.filter((failure) => origin !== proxy || !isBinary(failure))).toEqual([]);
    expect(report.stats.requests.total).toBeGreaterThan(app.container.operations.length);
    expect(report.stats.assertions.total).toBeGreaterThan(2 * app.container.operations.length);
    expect(await state()).toEqual(before);
    await finishJob(app, 'write personal exports'); // which the next run finds
  }
});
