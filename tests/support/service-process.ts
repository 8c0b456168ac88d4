import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { onTestFailed, onTestFinished } from 'vitest';
import { projectRoot } from '../../src/project-root.ts';

// npm compiles the sources first: processes start in half the time that they need with a loader.
const isCompiled = /^test(:system)?$/.test(process.env['npm_lifecycle_event'] ?? '');
const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

/** A folder for the length of one test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'studytrack-process-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }));
  return folder;
}

/** A program of the project as a real process, in a folder of its own and with nothing of this environment but the path. */
export function run(program: string, folder: string, settings: NodeJS.ProcessEnv = {}, words: readonly string[] = []) {
  return runProgram(process.execPath, [...nodeArguments(program), ...words], {
    cwd: folder,
    env: { PATH: process.env['PATH'], DATA_DIR: 'data', UPLOADS_DIR: 'uploads', PORT: '0', ...settings },
  });
}

/** How Node.js runs a program of the project. */
export function nodeArguments(program: string): string[] {
  return isCompiled && program.startsWith('src/')
    ? ['--enable-source-maps', path.join(projectRoot, 'dist', program.replace(/\.ts$/, '.js'))]
    : ['--import', tsx, path.join(projectRoot, program)];
}

/** A command, run to its end without a terminal. */
export async function studytrack(words: readonly string[], settings: NodeJS.ProcessEnv = {}) {
  const { ended, written } = run('src/cli/main.ts', await temporaryFolder(), settings, words);
  return { code: await ended, ...written };
}

/** Any program, ended with the test. */
export function runProgram(
  command: string,
  words: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
) {
  const child = spawn(command, words, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      written[name] += text;
      child.emit('written');
    });
  }
  const ended = once(child, 'close').then(() => child.exitCode);
  onTestFinished(async () => {
    child.kill('SIGTERM');
    const patience = setTimeout(() => child.kill('SIGKILL'), 15_000);
    await ended;
    clearTimeout(patience);
  });

  onTestFailed(() => {
    const errors = written.stdout.split('\n').filter((line) => /"level":[56]0/.test(line));
    process.stderr.write(`${[written.stderr, ...errors.slice(0, 5)].join('\n')}\n`);
  });

  /** Waits until the output matches, and returns the first group. */
  async function seen(pattern: RegExp): Promise<string> {
    for (let open = true; ; ) {
      const match = pattern.exec(written.stdout) ?? pattern.exec(written.stderr);
      if (match !== null) return match[1] ?? match[0];
      if (!open) throw new Error(`ended without ${pattern}:\n${written.stderr}\n${written.stdout}`);
      open = await Promise.race([once(child, 'written').then(() => true), ended.then(() => false)]);
    }
  }
  return { pid: child.pid ?? 0, written, ended, seen, kill: (signal: NodeJS.Signals) => child.kill(signal) };
}

export type ServiceProcess = Awaited<ReturnType<typeof startServiceProcess>>;

/** The service as a real process that is ready for requests. */
export async function startServiceProcess(folder: string, settings: NodeJS.ProcessEnv = {}) {
  const service = run('src/server.ts', folder, settings);
  return { ...service, origin: await service.seen(/"origin":"([^"]+)".*"ready"/) };
}

type Answer = { status: number; headers: Headers; body: { message?: string; data?: Record<string, unknown> } };

/** One JSON request to a service; network failures are thrown. */
export async function ask(
  origin: string,
  method: string,
  where: string,
  { token, body, key }: { token?: string; body?: object; key?: string } = {},
): Promise<Answer> {
  const response = await fetch(origin + where, {
    method,
    headers: {
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(key !== undefined && { 'Idempotency-Key': key }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(60_000),
  });
  const answer = (await response.json()) as Answer['body']; // every response of the service is such an object
  return { status: response.status, headers: response.headers, body: answer };
}

/** Signs in and returns the token. */
export async function signIn(origin: string, username: string, password: string): Promise<string> {
  const { status, body } = await ask(origin, 'POST', '/api/auth/login', { body: { username, password } });
  if (status !== 200) throw new Error(`sign-in: ${status} ${body.message}`);
  return String(body.data?.['token']);
}
