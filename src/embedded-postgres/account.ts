import { readFile, stat } from 'node:fs/promises';
import { EmbeddedPostgresError, useDatabaseUrl } from './error.ts';

/** The account that runs the server; undefined means the one that runs this process. */
export type ServerAccount = { uid: number; gid: number } | undefined;

/** PostgreSQL refuses to run as root, which runs it as the owner of the cluster, `postgres` or `nobody`. */
export async function findServerAccount(data: string): Promise<ServerAccount> {
  if (process.getuid?.() !== 0) return undefined;
  if (process.platform !== 'linux') {
    throw new EmbeddedPostgresError(`The embedded PostgreSQL runs as root on Linux only. ${useDatabaseUrl}`);
  }
  const owner = await stat(data).catch(() => undefined);
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };

  const accounts = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n').map((line) => line.split(':'));
  for (const candidate of ['postgres', 'nobody']) {
    const [, , uid, gid] = accounts.find(([name]) => name === candidate) ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new EmbeddedPostgresError(
    `PostgreSQL refuses to run as root, and there is neither a user "postgres" nor "nobody" to run it. Start as an ordinary user. ${useDatabaseUrl}`,
  );
}

/**
 * How to spawn one of PostgreSQL's programs. The environment is not inherited: PG* variables and locales of the caller
 * would change the cluster, and the server must not see its secrets.
 */
export function spawnOptions(account: ServerAccount, directory: string) {
  return { cwd: directory, env: { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/local/bin:/usr/bin:/bin' }, ...account };
}

/**
 * The `-D` argument for a program that is spawned in the data directory. The server's account may have no access to the
 * path (a checkout under /root); the working directory is entered before the account changes, so it works anyway.
 */
export function dataArgument(account: ServerAccount, data: string): string {
  return account === undefined ? data : '/proc/self/cwd';
}
