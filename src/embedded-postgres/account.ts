import { readFile, stat } from 'node:fs/promises';
import { EmbeddedPostgresError, useDatabaseUrl } from './error.ts';

export type ServerAccount = { uid: number; gid: number } | undefined;

/** PostgreSQL refuses to run as root: then the cluster's owner, `postgres` or `nobody` runs it. */
export async function findServerAccount(data: string): Promise<ServerAccount> {
  if (process.getuid?.() !== 0) return undefined;
  if (process.platform !== 'linux') {
    throw new EmbeddedPostgresError(`The embedded PostgreSQL can be started as root on Linux only. ${useDatabaseUrl}`);
  }
  const owner = await stat(data).catch(() => undefined);
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };

  const accounts = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n').map((line) => line.split(':'));
  for (const candidate of ['postgres', 'nobody']) {
    const [, , uid, gid] = accounts.find(([name]) => name === candidate) ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new EmbeddedPostgresError(
    `PostgreSQL refuses to run as root, and there is no user "postgres" or "nobody" to run it. Start the service as another user. ${useDatabaseUrl}`,
  );
}

/** No inherited environment: PG* variables and locales would change the cluster, and the server must not get secrets. */
export function spawnOptions(account: ServerAccount, directory: string) {
  return { cwd: directory, env: { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/local/bin:/usr/bin:/bin' }, ...account };
}

/** The `-D` argument. The server's account may have no access to the path, such as /root, but the working directory is accessible. */
export function dataArgument(account: ServerAccount, data: string): string {
  return account === undefined ? data : '/proc/self/cwd';
}
