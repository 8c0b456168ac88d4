import { readFile, stat } from 'node:fs/promises';
import { EmbeddedPostgresError, useDatabaseUrl } from './error.ts';

/** The account that runs the server; undefined means the one that runs this process. */
export type ServerAccount = { uid: number; gid: number } | undefined;

/**
 * PostgreSQL refuses to run as root, so root hands over to the owner of the existing cluster, or else to `postgres`
 * or `nobody`: initdb wants an account that /etc/passwd knows.
 */
export async function findServerAccount(data: string): Promise<ServerAccount> {
  if (process.getuid?.() !== 0) return undefined;
  if (process.platform !== 'linux') {
    throw new EmbeddedPostgresError(`The embedded PostgreSQL runs as root on Linux only. ${useDatabaseUrl}`);
  }
  const owner = await stat(data).catch(() => undefined);
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };

  const accounts = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n').map((line) => line.split(':'));
  for (const wanted of ['postgres', 'nobody']) {
    const [, , uid, gid] = accounts.find(([name]) => name === wanted) ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new EmbeddedPostgresError(
    `PostgreSQL refuses to run as root, and there is neither a user "postgres" nor "nobody" to run it. Start as an ordinary user. ${useDatabaseUrl}`,
  );
}

/**
 * How to spawn one of PostgreSQL's programs. The environment is ours alone: PG* variables and locales of the caller
 * would change the cluster, and its secrets are none of the server's business.
 */
export function spawnOptions(account: ServerAccount, directory: string) {
  return { cwd: directory, env: { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/local/bin:/usr/bin:/bin' }, ...account };
}

/**
 * The `-D` argument for a program that is spawned in the data directory. The account root hands over to may not be able
 * to walk there (a checkout under /root), but it may stay: the working directory is entered before the account changes.
 */
export function dataArgument(account: ServerAccount, data: string): string {
  return account === undefined ? data : '/proc/self/cwd';
}
