import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import { join } from 'node:path';
import { type ParseArgsConfig, parseArgs } from 'node:util';

export type Server = { origin: string; pid: number; stop(): Promise<void> };

export const service = ['--max-semi-space-size=64', 'scripts/run.js', 'src/server.ts']; // as `npm start`
export const script = (file: string) => ['--import', 'tsx', join('bench', file)];

// In production /metrics requires a token.
const metricsToken = randomBytes(24).toString('hex');

// A server that outlives a stopped run would work on the database during the next one.
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill();
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

/** Starts a Node.js program in its own process, without limits that a load generator would reach. */
export async function startServer(args: readonly string[], settings: NodeJS.ProcessEnv): Promise<Server> {
  const folder = await mkdtemp(join(os.tmpdir(), 'studytrack-bench-'));
  const limits = { RATE_LIMIT_PER_MINUTE: '0', CONTACT_FLOOD_PER_MINUTE: '0', TRUST_PROXY: '1' };
  const folders = { DATA_DIR: join(folder, 'data'), UPLOADS_DIR: join(folder, 'uploads') };
  const env = { ...process.env, NODE_ENV: 'production', PORT: '0', METRICS_TOKEN: metricsToken, ...limits, ...folders };
  const child = spawn(process.execPath, args, { env: { ...env, ...settings }, stdio: ['ignore', 'pipe', 'inherit'] });
  running.add(child);
  const ended = once(child, 'exit').finally(() => running.delete(child));
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  return { origin: await readOrigin(child), pid: child.pid ?? 0, stop };
}

/** Reads the address that a process logs once it listens. The rest of its output is discarded. */
async function readOrigin(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the child process has no stdout');
  const output = child.stdout.setEncoding('utf8');
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`a server exited with ${code}`)));
    let text = '';
    output.on('data', function search(chunk: string) {
      text += chunk;
      const [line, origin = '', port] = /"origin":"([^"]+)"(?:.*"port":(\d+))?.*\n/.exec(text) ?? [];
      if (line === undefined) return;
      // Parsing every line would cost the load generator as much as its requests.
      output.off('data', search).resume();
      resolve(port === undefined ? origin : `http://127.0.0.1:${port}`); // not PUBLIC_URL
    });
  });
}

/** The p99 of the service's event-loop delay since the last call, in milliseconds; CPU time since its start, in seconds. */
export async function readMetrics(origin: string): Promise<{ delay: number; processor: number }> {
  const headers = { authorization: `Bearer ${metricsToken}` };
  const text = await (await fetch(`${origin}/metrics`, { headers })).text();
  const metric = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  // An idle loop is reported with the sampling interval of 10 ms.
  const delay = Math.max(0, metric('nodejs_eventloop_lag_p99_seconds') * 1000 - 10);
  return { delay, processor: metric('process_cpu_seconds_total') };
}

/** CPU time of a local process including its threads, in milliseconds. */
export async function cpuTime(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const texts = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').catch(() => '0')),
  );
  return texts.reduce((sum, text) => sum + Number(text.split(' ', 1)[0]) / 1e6, 0);
}

/** The fields of `/proc/PID/stat` after the name, which may contain spaces: `[1]` is the parent, `[13]` and `[14]` are of ended children. */
const statusOf = async (pid: number | string) =>
  (await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '')).split(') ').at(-1)?.split(' ') ?? [];

export const parentOf = async (pid: number): Promise<number> => Number((await statusOf(pid))[1]);

/** CPU time of a local process and its children, also of those that have ended, in milliseconds. */
export async function cpuTimeOfFamily(pid: number): Promise<number> {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'latin1')).trim().split(' ').map(Number);
  const status = await statusOf(pid);
  const ended = (Number(status[13]) + Number(status[14])) * 10; // in hundredths of a second
  const living = await Promise.all([pid, ...children].map(cpuTime));
  return living.reduce((sum, time) => sum + time, ended);
}

export const median = (numbers: readonly number[]) =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

/** A table in Markdown. */
export function table(columns: readonly string[], rows: readonly (readonly unknown[])[]): string {
  return [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

/** The options of the command line, which are all texts. With --help, or without what the command needs, prints the help. */
export function readFlags<Name extends string>(help: string, defaults: Readonly<Record<Name, string>>) {
  const options: NonNullable<ParseArgsConfig['options']> = { help: { type: 'boolean' } };
  for (const [name, text] of Object.entries<string>(defaults)) options[name] = { type: 'string', default: text };
  const { values } = parseArgs({ options });
  if (values['help'] === true) showHelp(help, 0);
  return values as Record<Name, string>; // by their type and defaults
}

export function showHelp(help: string, exitCode = 1): never {
  process.stdout.write(`${help}\n`);
  process.exit(exitCode);
}

export const databaseUrl = (help: string): string => process.env['DATABASE_URL'] ?? showHelp(help);
