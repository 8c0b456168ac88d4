import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished, test } from 'vitest';
import type { ServerAccount } from '../../src/embedded-postgres/account.ts';
import { hasRedis } from '../support/servers/redis-server.ts';

const env = { LC_ALL: 'C', TZ: 'UTC', PATH: `${process.env['PATH']}:/usr/sbin:/sbin` };

/** Where Debian puts what Patroni runs; its name is in docs/cluster/patroni.yml. */
const postgresBinaries = '/usr/lib/postgresql/15/bin';

/** Those of some programs, which this project does not bring, that the machine lacks. The names are Debian's packages. */
export function missingPrograms(programs: readonly string[], argument = '--version'): string[] {
  return programs.filter((program) => spawnSync(program, [argument], { env }).error !== undefined);
}

/**
 * Tests that are skipped on a machine that lacks something, and whose names then say what. The limit, in milliseconds, includes
 * the start of everything.
 */
export function testThatNeeds(missing: readonly string[]) {
  return (name: string, run: () => Promise<void>, limit = 1_800_000): void => {
    if (missing.length === 0) test(name, run, limit);
    else test.skip(`${name} (skipped: this machine has no ${missing.join(' and no ')})`, run);
  };
}

/** A test of a cluster. */
export const clusterTest = testThatNeeds([
  ...missingPrograms(['nginx', 'pgbouncer', 'haproxy', 'patroni', 'etcd']),
  ...(hasRedis ? [] : ['redis-server']),
  ...(existsSync(path.join(postgresBinaries, 'pg_rewind')) ? [] : ['postgresql-15']),
]);

/** One of the machine's own commands, run to its end. */
export function command(words: readonly string[]): void {
  const [program = '', ...rest] = words;
  const { status, error, stderr } = spawnSync(program, rest, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${words.join(' ')}: ${error?.message ?? stderr}`);
}

export type ProgramOptions = {
  /** Where its output goes; the end of it is shown when the test fails. */
  log: string;
  account?: ServerAccount;
  /** The network namespace that it runs in. */
  namespace?: string | undefined;
  /** What ends it with the test. */
  last?: NodeJS.Signals;
};

/** A program for as long as the test lasts, which can be killed, ended and started again. */
export function startProgram(words: readonly string[], { log, account, namespace, last = 'SIGKILL' }: ProgramOptions) {
  const output = openSync(log, 'a');
  const start = () => {
    const [program = '', ...rest] = [...inNamespace(namespace, account), ...words];
    const who = namespace === undefined ? account : undefined;
    return spawn(program, rest, { ...who, env, cwd: path.dirname(log), stdio: ['ignore', output, output] });
  };
  let child = start();

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  }

  onTestFinished(async ({ task }) => {
    await end(last);
    if (task.result?.state !== 'fail') return;
    process.stderr.write(`${log}:\n${readFileSync(log, 'utf8').split('\n').slice(-15).join('\n')}\n`);
  });
  return {
    signal: (signal: NodeJS.Signals) => child.kill(signal),
    end,
    start: () => {
      child = start();
    },
    restart: async () => {
      await end('SIGTERM');
      child = start();
    },
  };
}

/** Both programs replace themselves by the next one: the process that is started is that program. */
function inNamespace(namespace: string | undefined, account: ServerAccount): string[] {
  if (namespace === undefined) return [];
  const owner =
    account === undefined ? [] : ['setpriv', `--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'];
  return ['ip', 'netns', 'exec', namespace, ...owner];
}
