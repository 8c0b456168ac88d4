import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { openDatabase } from '../../src/db/database.ts';
import { projectRoot } from '../../src/project-root.ts';
import { createTestDatabase } from '../support/database.ts';
import { startTcpProxy } from '../support/servers/tcp-proxy.ts';
import { run, startServiceProcess, studytrack, temporaryFolder } from '../support/service-process.ts';
import { withDatabase } from '../support/template-database.ts';

const nowhere = 'postgres://studytrack@127.0.0.1:1/studytrack';
const secret = 'what the tests sign with and long enough for it';

/** What a start with these settings says on standard error before it gives up with exit code 1, and only there. */
async function refusal(settings: NodeJS.ProcessEnv, folder?: string): Promise<string[]> {
  const { written, ended } = run('src/server.ts', folder ?? (await temporaryFolder()), settings);
  expect([await ended, written.stdout]).toEqual([1, '']);
  return written.stderr.trimEnd().split('\n');
}

test.each([
  [{ DATABASE_URL: 'mysql://root@localhost/x' }, [/^DATABASE_URL: must look like postgres:\/\//]],
  ...['p@ss/w#rd', 'p/ss', '12/p@ss', 'p#ss', 'p?ss', 'p%ss'].flatMap((password): [NodeJS.ProcessEnv, RegExp[]][] => [
    [
      { DATABASE_URL: `postgres://study:${password}@db.example.org:5432/study` },
      [/^DATABASE_URL: must look like postgres:\/\/\S+; write @ \/ # \? % in its user name and password as %40 %2F/],
    ],
    [
      { SMTP_URL: `smtps://study:${password}@mail.example.org` },
      [/^SMTP_URL: must look like smtps.*%40 %2F %23 %3F %25$/],
    ],
  ]),
  [
    { CORS_ORIGINS: 'https://a.example.org,*,b.example.org' },
    [/^CORS_ORIGINS: "\*" is no origin/, /^CORS_ORIGINS: "b\.example/],
  ],
  [
    { CORS_ORIGINS: 'https://study:p@ss/word@a.example.org' },
    [/^CORS_ORIGINS: "https:\/\/…@a\.example\.org" is no origin/],
  ],
  [{ PUBLIC_URL: 'https://example.org/study' }, [/^PUBLIC_URL: must have no path/]],
  [{ JWT_SECRET: 'too short' }, [/^JWT_SECRET: .*32 bytes/]],
  [{ NODE_ENV: 'production' }, [/^JWT_SECRET is required/, /^DATABASE_URL is required/]],
  [{ NODE_ENV: 'production', JWT_SECRET: 'changeit'.repeat(8), DATABASE_URL: nowhere }, [/^JWT_SECRET can be guessed/]],
  [
    { NODE_ENV: 'production', JWT_SECRET: `your-256-bit-secret-${'y'.repeat(20)}`, DATABASE_URL: nowhere },
    [/^JWT_SECRET can be guessed/],
  ],
  [
    {
      NODE_ENV: 'production',
      JWT_SECRET: secret,
      DATABASE_URL: nowhere,
      CAPTCHA_MODE: 'reveal',
      CONTACT_PER_HOUR: '0',
    },
    [/^CAPTCHA_MODE=reveal/, /^CONTACT_PER_HOUR=0/],
  ],
])('%o is a configuration error of one line each', (settings, lines) => {
  const expected = lines.map((line) => expect.stringMatching(line));
  expect(() => readConfig(settings)).toThrow(expect.objectContaining({ lines: expected }));
});

test('wrong settings are refused in one line each, before anything else starts', async () => {
  expect(await refusal({ PORT: 'eighty', WEB_CONCURRENCY: '0' })).toEqual([
    expect.stringMatching(/^PORT: /),
    expect.stringMatching(/^WEB_CONCURRENCY: /),
  ]);
});

test('what would stop the start later is found before the first file is written', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const folder = await temporaryFolder();
  expect(await refusal({ PORT: String(port), WEB_CONCURRENCY: '2' }, folder)).toEqual([
    `PORT=${port}: the port is in use on 127.0.0.1; stop the other program or choose another port`,
  ]);
  expect(await refusal({ ADMIN_PASSWORD: 'short' }, folder)).toEqual([expect.stringMatching(/^ADMIN_PASSWORD: /)]);
  expect(await refusal({ JWT_SECRET_FILE: 'absent' }, folder)).toEqual([
    expect.stringMatching(/^JWT_SECRET_FILE: ENOENT/),
  ]);
  await writeFile(path.join(folder, 'secret'), 'too short\n');
  expect(await refusal({ JWT_SECRET_FILE: 'secret' }, folder)).toEqual([
    expect.stringMatching(/^JWT_SECRET: .*32 bytes/),
  ]);
  expect(await readdir(folder)).toEqual(['secret']);
});

test('a host that does not exist is named', async () => {
  expect(await refusal({ DATABASE_URL: 'postgres://x@no-such-host.invalid/x' })).toEqual([
    expect.stringMatching(/^DATABASE_URL: cannot connect to no-such-host.invalid: .*ENOTFOUND/),
  ]);
});

test('a database that does not exist, or is not encoded as UTF-8, is named', async () => {
  const adminUrl = inject('adminUrl');
  const admin = openDatabase({ url: adminUrl, poolSize: 1 });
  const name = `studytrack_latin_${process.pid}`;
  await admin.knex.raw(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'`);
  onTestFinished(async () => {
    await admin.knex.raw(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.close();
  });
  expect(await refusal({ DATABASE_URL: withDatabase(adminUrl, 'no_such_database') })).toEqual([
    expect.stringMatching(/^DATABASE_URL: cannot connect to .*: database "no_such_database" does not exist$/),
  ]);
  expect(await refusal({ DATABASE_URL: withDatabase(adminUrl, name) })).toEqual([
    'DATABASE_URL: the database must be encoded as UTF8, not LATIN1',
  ]);
});

test('a database in which the role may not create tables, or that is read-only, is explained', async () => {
  const adminUrl = inject('adminUrl');
  const admin = openDatabase({ url: adminUrl, poolSize: 1 });
  const [name, role] = ['database', 'role'].map((kind) => `studytrack_${kind}_${process.pid}`);
  await admin.knex.raw(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C.UTF-8'`);
  await admin.knex.raw(`CREATE ROLE ${role} LOGIN PASSWORD 'secret'`);
  onTestFinished(async () => {
    await admin.knex.raw(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.knex.raw(`DROP ROLE ${role}`);
    await admin.close();
  });
  const url = new URL(withDatabase(adminUrl, String(name)));
  const ofOwner = url.href;
  Object.assign(url, { username: role, password: 'secret' });
  expect(await refusal({ DATABASE_URL: url.href })).toEqual([
    `DATABASE_URL: ${role} may not create the tables; let it own the database: ALTER DATABASE "${name}" OWNER TO "${role}"`,
  ]);
  await admin.knex.raw(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  expect(await refusal({ DATABASE_URL: ofOwner })).toEqual([
    'DATABASE_URL: the server or the database is read-only; the service needs the primary server',
  ]);
});

test('on the schema of a newer version the service runs, and leaves the schema as it is', async () => {
  const { database, url, drop } = await createTestDatabase();
  onTestFinished(drop);
  await database.knex('migrations').insert({ name: '29991231000000_add_wonders', batch: 99 });
  const service = await startServiceProcess(await temporaryFolder(), { DATABASE_URL: url });
  expect(service.written.stdout).toContain('"newer":["29991231000000_add_wonders"]');
  expect((await fetch(`${service.origin}/readyz`)).status).toBe(200);
});

test('a database of an earlier development version is refused in one line, by every command', async () => {
  const { database, url, drop } = await createTestDatabase();
  onTestFinished(drop);
  await database.knex.schema.dropTable('migrations_hashes');
  const line =
    'The database was made by a development version before 1.1.0, which cannot be upgraded; create a new one ' +
    '(docs/operations.md, "From a version before 1.1.0").';
  expect(await refusal({ DATABASE_URL: url })).toEqual([line]);
  for (const words of [['migrate'], ['migrate', 'status'], ['migrate', 'down'], ['backup', '--to', 'x.tgz'], ['seed']])
    expect(await studytrack(words, { DATABASE_URL: url }), words.join(' ')).toEqual({
      code: 1,
      stdout: '',
      stderr: `${line}\n`,
    });
  const { stdout } = await studytrack(['doctor'], { DATABASE_URL: url });
  expect(stdout).toContain(`PROBLEM  schema: ${line}\n`);
});

test('a server without TLS, which the URL demands, is not waited for', async () => {
  const server = createServer((socket) => void socket.once('data', () => socket.end('N')));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await refusal({ DATABASE_URL: `postgres://study@${host}/study?sslmode=require` })).toEqual([
    `DATABASE_URL: the server at ${host} has no TLS; enable it there, or remove sslmode`,
  ]);
});

test('a database that is late is waited for', async () => {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  const { url, port, stop } = await startTcpProxy(database.url);
  await stop();
  const service = run('src/server.ts', await temporaryFolder(), { DATABASE_URL: url });
  await service.seen(/^Waiting for the database at 127.0.0.1:\d+: connect ECONNREFUSED/);
  const proxy = await startTcpProxy(database.url, port);
  onTestFinished(proxy.stop);
  await service.seen(/"ready"/);
});

test('a taken port, a foreign address, a missing file and a data folder that is none are named', async () => {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await new Promise((resolve) => other.once('listening', resolve));
  const address = other.address();
  const port = typeof address === 'object' && address !== null ? String(address.port) : '';
  const given = { DATABASE_URL: database.url, LOG_LEVEL: 'silent' };

  expect(await refusal({ ...given, PORT: port })).toEqual([
    `PORT=${port}: the port is in use on 127.0.0.1; stop the other program or choose another port`,
  ]);
  expect(await refusal({ ...given, HOST: '192.0.2.1' })).toEqual(['HOST=192.0.2.1: not an address of this machine']);

  expect(await refusal({ ...given, SPAM_WORDS_FILE: 'absent.txt' })).toEqual([
    expect.stringMatching(/^SPAM_WORDS_FILE: ENOENT.*absent.txt/),
  ]);

  const folder = await temporaryFolder();
  await writeFile(path.join(folder, 'data'), 'a file');
  expect(await refusal(given, folder)).toEqual([expect.stringMatching(/^DATA_DIR: .*ENOTDIR/)]);
});

test.each([
  ['HTTP', (socket: Socket) => socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')],
  ['MySQL', (socket: Socket) => socket.write(Buffer.from('4a0000000a382e302e3336000800', 'hex'))],
  ['SSH', (socket: Socket) => socket.write('SSH-2.0-OpenSSH_9.6\r\n')],
])('a port of a server of another kind (%s) is named soon', async (_kind, greet) => {
  const other = createServer((socket) => {
    socket.on('error', () => undefined);
    greet(socket);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  expect(await refusal({ DATABASE_URL: `postgres://x:y@127.0.0.1:${port}/x` })).toEqual([
    `DATABASE_URL: the server at 127.0.0.1:${port} is not PostgreSQL; check host and port`,
  ]);
});

test.each([
  [{ UPLOADS_DIR: '/proc/nope' }, /^UPLOADS_DIR: \/proc\/nope cannot be written \(ENOENT.*choose another folder\.$/],
  [{ UPLOADS_DIR: '/dev/null/x' }, /^UPLOADS_DIR: \/dev\/null\/x cannot be written \(ENOTDIR/],
  [{ DATA_DIR: '/proc/nope' }, /^DATA_DIR: \/proc\/nope\/incoming cannot be written \(ENOENT/],
])('folders that cannot be written are named before the database is started: %o', async (settings, line) => {
  expect(await refusal(settings)).toEqual([expect.stringMatching(line)]);
});

test('two folders that cannot be written are named together', async () => {
  expect(await refusal({ DATA_DIR: '/proc/nope', UPLOADS_DIR: '/proc/nope' })).toEqual([
    expect.stringMatching(/^DATA_DIR: /),
    expect.stringMatching(/^UPLOADS_DIR: /),
  ]);
});

test('settings may stand in a .env, and the environment wins over it', async () => {
  const folder = await temporaryFolder();
  await writeFile(path.join(folder, '.env'), 'JWT_SECRET=too short\nDATABASE_URL=mysql://x\n');
  expect(await refusal({ DATABASE_URL: nowhere }, folder)).toEqual([expect.stringMatching(/^JWT_SECRET: /)]);
});

test.each(['src/server.ts', 'src/cli/main.ts', 'scripts/run.js'])(
  'on an older Node.js, %s names the version that it needs',
  async (program) => {
    const { engines } = JSON.parse(await readFile(path.join(projectRoot, 'package.json'), 'utf8'));
    const older = `Object.defineProperty(process.versions, 'node', { value: '20.18.3' })`;
    const options = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(older)}` };
    const { written, ended } = run(program, await temporaryFolder(), options);
    expect([await ended, written.stdout]).toEqual([1, '']);
    expect(written.stderr).toBe(`Node.js ${engines.node.slice(2)} or later is required; this is ${process.version}.\n`);
  },
);
