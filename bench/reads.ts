import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { administrator, type Fixtures, prepare } from './prepare.ts';
import { databaseUrl, median, readFlags, readMetrics, service, startServer, table } from './servers.ts';

const help = `Measures every GET operation of the API document on the database named by DATABASE_URL, one request at a time.

  npm run bench:data -- --scale full --for reads     first, on an empty database
  npm run bench:reads
  npm run bench:reads -- --only /projects --runs 20

Operations without a variant below are read once by an administrator. Times are until the last byte, in milliseconds; the
delay is the p99 of the service's event loop during the measurement.`;

const flags = readFlags(help, { only: '', runs: '9' });

type Caller = 'admin' | 'limited' | 'student' | 'busy' | 'owner';
type Read = { path: string; as: Caller; goal?: number };
const search = (text: string) => encodeURIComponent(text);
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const reads = (as: Caller, goal: number, ...paths: string[]): Read[] => paths.map((path) => ({ path, as, goal }));

/** Lists of an administrator who is limited to two classes: at most twice the time of the same work of one who is not. */
const limitedPaths = [
  '/api/projects',
  '/api/projects?search=course',
  '/api/sessions',
  '/api/sessions?search=course',
  '/api/admin/users',
  '/api/admin/users?search=person',
  '/api/admin/progress',
  '/api/admin/progress?sort=total_hours&order=desc',
  '/api/admin/groups',
];

/** The most expensive variants. Project 1 has 30,000 records by as many users; `busy` sees 2,000 projects. */
const variants: readonly Read[] = [
  ...reads('admin', 10, '/api/projects', '/api/projects?status=paused', '/api/projects?limit=100'),
  ...reads('admin', 50, '/api/projects?page=90000', '/api/projects?status=paused&page=5000'),
  ...reads('admin', 100, '/api/projects?search=course', `/api/projects?search=${search('代数')}`),
  ...reads('admin', 100, `/api/projects?search=${search('代')}`, '/api/projects?search=zygote'),
  ...reads('admin', 100, '/api/projects?search=nowhere', '/api/projects?sort=name', '/api/projects?state=overdue'),
  ...reads('busy', 20, '/api/projects', '/api/projects?sort=name', `/api/projects?search=${search('代数')}`),
  ...reads('admin', 20, '/api/sessions', '/api/sessions?limit=100&page=50000', '/api/sessions?running=true'),
  ...reads('admin', 20, `/api/sessions?from=${daysAgo(60)}&to=${daysAgo(30)}`),
  ...reads('admin', 20, '/api/sessions?project_id=1'),
  ...reads('admin', 100, '/api/sessions?search=course', '/api/sessions?search=c'),
  ...reads('admin', 100, `/api/sessions?search=${search('纠')}`),
  ...reads('owner', 20, '/api/projects/1/sessions', '/api/projects/1/sessions?page=3000'),
  ...reads('owner', 10, '/api/projects/1', '/api/projects/1/stats', '/api/projects/1/forecast'),
  ...reads('owner', 30, '/api/projects/1/members?page=1', '/api/projects/1/members?page=2000'),
  ...reads('owner', 30, '/api/projects/1/assignments'),
  ...reads('admin', 15, '/api/admin/users', '/api/admin/users?page=9000'),
  ...reads('admin', 100, '/api/admin/users?search=person', '/api/admin/users?search=7'), // found in most names, and counted exactly
  ...reads('admin', 15, '/api/admin/users?search=person77777'),
  ...reads('admin', 15, '/api/projects/users?search=person777', '/api/projects/users?search=nowhere'),
  ...reads('admin', 100, '/api/admin/progress', '/api/admin/progress?sort=total_hours&order=desc'),
  ...reads('admin', 100, '/api/admin/progress?inactive_days=7', '/api/admin/progress?project_id=1'),
  ...reads('admin', 100, '/api/admin/progress/trend?group_id=1'),
  ...reads('admin', 100, '/api/admin/groups/1/statistics'),
  ...reads('admin', 300, '/api/admin/groups/2/statistics', '/api/admin/groups/2/statistics?page=2'),
  ...reads('student', 20, '/api/stats', '/api/dashboard', '/api/sync?limit=1000'),
  ...reads('busy', 50, '/api/dashboard', '/api/sync?limit=1000'),
  ...reads('admin', 50, '/api/sync?limit=1000'),
  { path: `/api/sessions/export?from=${daysAgo(3)}`, as: 'admin' }, // without a goal: the time grows with the records
  // The students of the limited administrator: as for them, and unlike those of the whole school, their states are counted.
  ...reads(
    'admin',
    100,
    ...['', '&sort=total_hours&order=desc'].map((sort) => `/api/admin/progress?group_id=2${sort}`),
  ),
  ...limitedPaths.flatMap((path) => [...reads('admin', 100, path), ...reads('limited', 100, path)]),
];

const limited = administrator(15);
/** Limits an administrator to two classes while it measures, because other benchmarks use the same data. */
async function setScope(database: pg.Pool, scope: 'all' | 'groups'): Promise<void> {
  await database.query('DELETE FROM admin_groups WHERE user_id = $1', [limited]);
  await database.query('UPDATE users SET admin_scope = $2 WHERE id = $1', [limited, scope]);
  if (scope === 'groups')
    await database.query('INSERT INTO admin_groups (user_id, group_id) SELECT $1, id FROM groups WHERE id <= 2', [
      limited,
    ]);
}

type Document = { paths: Record<string, { get?: object }> };
async function otherOperations(): Promise<Read[]> {
  const document = JSON.parse(await readFile('docs/openapi.json', 'utf8')) as Document; // generated
  const paths = Object.entries(document.paths).flatMap(([path, { get }]) => (get === undefined ? [] : [path]));
  const measured = new Set(variants.map(({ path }) => path.split('?', 1)[0]?.replace(/\/1(?=\/|$)/, '/{id}')));
  const rest = paths.filter((path) => !measured.has(path) && path !== '/metrics');
  return rest.map((path) => ({
    path: path === '/api/events' ? `${path}?seconds=0` : path.replace(/\{\w+\}/, '1'),
    as: 'admin',
  }));
}

async function measure(origin: string, { path, as, goal }: Read, token: string | undefined): Promise<unknown[]> {
  const times: number[] = [];
  let [bytes, status] = [0, 0];
  for (let run = -2; run < Number(flags.runs); run += 1) {
    if (run === 0) await readMetrics(origin);
    const started = performance.now();
    const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'identity' };
    const response = await fetch(`${origin}${path}`, { headers });
    bytes = (await response.arrayBuffer()).byteLength;
    status = response.status;
    if (run >= 0) times.push(performance.now() - started);
  }
  const { delay } = await readMetrics(origin);
  const longest = Math.max(...times).toFixed(1);
  return [path, as, median(times).toFixed(1), longest, goal ?? '–', bytes, delay.toFixed(0), status];
}

const columns = ['path', 'caller', 'median ms', 'longest ms', 'goal', 'bytes', 'delay ms', 'status'];

async function tokensOf(database: pg.Pool, { tokens }: Fixtures): Promise<Record<Caller, string | undefined>> {
  const { rows } = await database.query<{ id: number }>('SELECT user_id::integer AS id FROM projects WHERE id = 1');
  const of = (id: number) => tokens.get(id);
  return {
    admin: of(administrator()),
    limited: of(limited),
    student: of(500),
    busy: of(1),
    owner: of(rows[0]?.id ?? 0),
  };
}

const url = databaseUrl(help);
const database = new pg.Pool({ connectionString: url, max: 1 });
const fixtures = await prepare(database);
const callers = await tokensOf(database, fixtures);
const server = await startServer(service, { DATABASE_URL: url, JWT_SECRET: fixtures.secret });
try {
  await setScope(database, 'groups');
  const rows: unknown[][] = [];
  for (const read of [...variants, ...(await otherOperations())].filter(({ path }) => path.includes(flags.only))) {
    const row = await measure(server.origin, read, callers[read.as]);
    rows.push(row);
    process.stderr.write(`${row.join('  ')}\n`);
  }
  process.stdout.write(table(columns, rows));
} finally {
  await server.stop();
  await setScope(database, 'all');
  await database.end();
}
