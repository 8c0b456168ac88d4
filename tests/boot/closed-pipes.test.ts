import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { nodeArguments, temporaryFolder } from '../support/service-process.ts';

const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(' ');

/** A pipeline of a shell, in a process group of its own, as a terminal starts it. */
async function pipeline(program: string, reader: string, settings: NodeJS.ProcessEnv = {}) {
  const line = `${quoted([process.execPath, ...nodeArguments(program)])} 2>&1 & echo $! > pid; wait $!; echo $? > code`;
  const cwd = await temporaryFolder();
  const child = spawn('bash', ['-c', `(${line}) | ${reader}`], {
    cwd,
    detached: true,
    env: { PATH: process.env['PATH'], DATA_DIR: 'data', UPLOADS_DIR: 'uploads', PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let written = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    written += text;
  });
  const group = -(child.pid ?? 0);
  onTestFinished(() => {
    try {
      process.kill(group, 'SIGKILL');
    } catch {
      // it has ended
    }
  });
  return { cwd, child, group, written: () => written };
}

async function startPiped(reader: string) {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  const running = await pipeline('src/server.ts', reader, { DATABASE_URL: database.url });
  await expect.poll(running.written).toMatch(/"ready"/);
  const [, origin = ''] = /"origin":"([^"]+)"/.exec(running.written()) ?? [];
  return { ...running, origin };
}

/** Whether a process of the group still runs. */
function isAlive(group: number): boolean {
  try {
    process.kill(group, 0);
    return true;
  } catch {
    return false;
  }
}

test('Ctrl-C ends the service and the reader of its log together', async () => {
  const { child, group, origin } = await startPiped('tee log');
  process.kill(group, 'SIGINT');
  await once(child, 'close'); // no process has the pipe open any more
  await expect.poll(() => fetch(`${origin}/healthz`).catch(() => 'refused')).toBe('refused');
  await expect.poll(() => isAlive(group)).toBe(false);
});

test('the service continues after the reader of its log has ended, and stops at a signal', async () => {
  const { child, group, origin } = await startPiped(`sed -u '/"ready"/q'`);
  for (let sent = 0; sent < 200; sent += 1) expect((await fetch(`${origin}/healthz`)).status).toBe(200);
  process.kill(group, 'SIGTERM');
  await once(child, 'close');
  await expect.poll(() => fetch(`${origin}/healthz`).catch(() => 'refused')).toBe('refused');
});

test('a command ends when nobody reads what it writes', async () => {
  const { child } = await pipeline('src/cli/main.ts', 'true');
  await once(child, 'close');
  expect(child.exitCode).toBe(0);
});
