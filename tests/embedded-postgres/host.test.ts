import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { isRoot, makeCheckout, makeFolder, query, spawnChild, untilGone } from './support.ts';

const durable = false;
const nobody: { uid?: number; gid?: number } = isRoot ? { uid: 65534, gid: 65534 } : {};

/** What Docker leaves to root; looking at the processes of other users is not among it. */
const containerRights =
  '-all,+chown,+dac_override,+fowner,+fsetid,+kill,+setgid,+setuid,+setpcap,+net_bind_service,+net_raw,+sys_chroot,+mknod,+audit_write,+setfcap';
const inContainer = isRoot ? { prefix: ['setpriv', `--bounding-set=${containerRights}`] } : {};

// As root, copies of the server's programs stay there for the next time: not those of a test.
const programCache = '/var/cache/studytrack';
const cacheWasThere = existsSync(programCache);
afterAll(async () => {
  if (isRoot && !cacheWasThere) await rm(programCache, { recursive: true, force: true });
});

async function expectToWork(child: ReturnType<typeof spawnChild>) {
  const { url, pid } = await child.started();
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await child.stop();
  await untilGone(pid);
}

test('an ordinary user with an empty environment', async () => {
  const checkout = await makeCheckout('as installed');
  execFileSync('chmod', ['-R', 'a+rX', checkout]);
  const folder = await makeFolder();
  if (isRoot) await chown(folder, 65534, 65534);
  await expectToWork(spawnChild({ dataDir: path.join(folder, 'data'), durable }, { checkout, env: {}, ...nobody }));
});

test('a checkout with its data in a folder that only its user (root, too) may enter, installed without scripts', async () => {
  const checkout = await makeCheckout('without links');
  const dataDir = path.join(checkout, 'data');
  await expectToWork(spawnChild({ dataDir, durable }, { checkout, env: {} }));
  await expectToWork(spawnChild({ dataDir, durable }, { checkout, env: {} }));
});

test.each<[string, typeof nobody]>([
  ['the same user', {}],
  ['an ordinary user', nobody],
])('a checkout in a path with spaces, $ and quotes, as %s', async (_user, account) => {
  const checkout = await makeCheckout('as installed', `a $HOME "of" 'mine' \`id\``);
  const home = await makeFolder();
  if (account.uid !== undefined) {
    execFileSync('chmod', ['-R', 'a+rX', path.dirname(checkout)]);
    for (const folder of [home, checkout]) await chown(folder, account.uid, account.uid);
  }
  const env = { ...process.env, HOME: home };
  await expectToWork(spawnChild({ dataDir: path.join(checkout, 'data'), durable }, { checkout, env, ...account }));
});

test('installed without scripts, and the packages cannot be written to', async () => {
  const checkout = await makeCheckout('without links');
  execFileSync('chmod', ['-R', 'a+rX,a-w', checkout]);
  const folder = await makeFolder();
  if (isRoot) await chown(folder, 65534, 65534);
  await expectToWork(spawnChild({ dataDir: path.join(folder, 'data'), durable }, { checkout, ...nobody }));
  execFileSync('chmod', ['-R', 'u+w', checkout]); // so that an ordinary user can remove it
});

test('root with no more rights than in a container', async () => {
  const dataDir = await makeFolder();
  const first = spawnChild({ dataDir, durable }, inContainer);
  const { pid, url } = await first.started();
  const second = spawnChild({ dataDir, durable }, inContainer);
  expect(await second.started()).toMatchObject({ pid, url });
  await second.stop();
  await first.stop();
  await untilGone(pid);
});

test('a data folder of another user is refused, with what to do', async () => {
  const dataDir = isRoot ? await makeFolder() : '/';
  const checkout = await makeCheckout('not installed');
  execFileSync('chmod', ['-R', 'a+rX', checkout]);
  const child = spawnChild({ dataDir, durable }, { checkout, ...nobody });
  await expect(child.started()).rejects.toThrow(/EmbeddedPostgresError: .*Start the service as its owner.*DATA_DIR/);
});

test('without the packages of the server, DATABASE_URL is asked for', async () => {
  const checkout = await makeCheckout('not installed');
  const child = spawnChild({ dataDir: path.join(checkout, 'data'), durable }, { checkout });
  await expect(child.started()).rejects.toThrow(/EmbeddedPostgresError: .*is not installed.*DATABASE_URL/);
});

test('on a system with another libc, DATABASE_URL is asked for', async () => {
  const checkout = await makeCheckout('for another libc');
  if (isRoot) await chmod(checkout, 0o755);
  const child = spawnChild({ dataDir: path.join(checkout, 'data'), durable }, { checkout });
  await expect(child.started()).rejects.toThrow(/EmbeddedPostgresError: .*needs glibc.*DATABASE_URL/);
});
