import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished, test } from 'vitest';
import type { ServerAccount } from '../../src/embedded-postgres/programs.ts';
import { hasRedis } from '../support/servers/redis-server.ts';

const env = { LC_ALL: 'C', TZ: 'UTC', PATH: `${process.env['PATH']}:/usr/sbin:/sbin` };

/** Debian's path of the binaries that Patroni runs, as in docs/cluster/patroni.yml. */
const postgresBinaries = '/usr/lib/postgresql/15/bin';

/** The programs that are not installed; the names are those of Debian's packages. */
export function missingPrograms(programs: readonly string[], argument = '--version'): string[] {
  return programs.filter((program) => spawnSync(program, [argument], { env }).error !== undefined);
}

/**
 * Tests that are skipped on a machine that lacks a program, with the reason in the title. The timeout, in milliseconds,
 * includes the start of everything.
 */
export function testThatNeeds(missing: readonly string[]) {
  return (name: string, run: () => Promise<void>, timeout = 1_800_000): void => {
    if (missing.length === 0) test(name, run, timeout);
    else test.skip(`${name} (skipped: this machine has no ${missing.join(' and no ')})`, run);
  };
}

/** A cluster test. */
export const clusterTest = testThatNeeds([
  ...missingPrograms(['nginx', 'pgbouncer', 'haproxy', 'patroni', 'etcd']),
  ...(hasRedis ? [] : ['redis-server']),
  ...(existsSync(path.join(postgresBinaries, 'pg_rewind')) ? [] : ['postgresql-15']),
]);

/** Runs a system command to its end. */
export function command([program = '', ...args]: readonly string[]): void {
  const { status, error, stderr } = spawnSync(program, args, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${[program, ...args].join(' ')}: ${error?.message ?? stderr}`);
}

export type ProgramOptions = {
  /** The file for its output; its last lines are printed when the test fails. */
  log: string;
  account?: ServerAccount;
  /** The network namespace that it runs in. */
  namespace?: string | undefined;
  /** The signal that stops it at the end of the test. */
  stopSignal?: NodeJS.Signals;
};

/** A program that runs until the test ends and can be killed, stopped and restarted. */
export function startProgram(
  commandLine: readonly string[],
  { log, account, namespace, stopSignal = 'SIGKILL' }: ProgramOptions,
) {
  const output = openSync(log, 'a');
  const start = () => {
    const [program = '', ...args] = [...inNamespace(namespace, account), ...commandLine];
    const user = namespace === undefined ? account : undefined;
    const folder = path.dirname(log);
    // Patroni writes a password file to its home, which the account may not have.
    return spawn(program, args, {
      ...user,
      env: { ...env, HOME: folder },
      cwd: folder,
      stdio: ['ignore', output, output],
    });
  };
  let child = start();

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }

  onTestFinished(async ({ task }) => {
    await end(stopSignal);
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

/** `ip` and `setpriv` exec the next program, so that the child process is that program. */
function inNamespace(namespace: string | undefined, account: ServerAccount): string[] {
  if (namespace === undefined) return [];
  const owner =
    account === undefined ? [] : ['setpriv', `--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'];
  return ['ip', 'netns', 'exec', namespace, ...owner];
}
