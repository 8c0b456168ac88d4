import { parseArgs } from 'node:util';
import pg from 'pg';
import type { Executor, Transaction } from '../src/db/database.ts';
import { createAssignmentRepository } from '../src/features/assignments/assignment-repository.ts';
import type { Actor } from '../src/features/auth/identity.ts';
import { createProjectListReadModel } from '../src/features/projects/list/project-list-read-model.ts';
import { createProjectRepository } from '../src/features/projects/project-repository.ts';
import { listProjectsQuery } from '../src/features/projects/project-schemas.ts';
import { createStatisticsReadModel } from '../src/features/statistics/statistics-read-model.ts';
import { createSessionRepository } from '../src/features/study-sessions/session-repository.ts';
import { type Client, executorOf } from './client-executor.ts';
import { createMinimalTables, schema, statements } from './minimal-statements.ts';
import { cpuTime } from './processor-time.ts';

const help = `Measures the CPU time that the service's statements cost PostgreSQL, one at a time on one connection, on the database
named by DATABASE_URL, whose server must run on this machine.

  npm run bench:statements                     all, 2,000 times each
  npm run bench:statements -- --only record --runs 500

Prints milliseconds of CPU time for a statement of the service and for the minimal statements that do the same
(bench/README.md), alternating. The result is the 10th percentile, which other load on the machine disturbs least. Commits
are asynchronous. Written rows stay in the database.`;

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    runs: { type: 'string', default: '2000' },
    help: { type: 'boolean', default: false },
  },
});

type Owned = { id: number; actor: Actor };
type Context = { client: Client; db: Executor; owned: (n: number) => Owned };
type Minimal = { [Name in keyof typeof statements]?: (context: Context, n: number) => unknown[] };
/** `minimal`: parameters of the minimal statements that do the same; `share`: fraction of the runs, for slow ones. */
type Measured = {
  name: string;
  share?: number;
  minimal?: Minimal;
  run: (context: Context, n: number) => Promise<unknown>;
};

const calendar = { zone: 'Asia/Shanghai', now: new Date(), weeks: 12, user_id: 5000 };
const administrator = { id: 21, role: 'admin' as const };
const reader = { id: 5000, role: 'user' as const };
const numbers = (length: number, at: (k: number) => number) => Array.from({ length }, (_, k) => at(k));
const fields = {
  name: '线性代数 exercises',
  description: 'Every week: 复习 and homework',
  category: 'other',
  target_hours: 40,
  rating_standard: 'normal',
  due_date: null,
  weekly_goal_hours: null,
} as const;

const day = 86_400_000;
// Different on each start, because records must not overlap those of earlier runs.
const firstDay = Date.UTC(2001, 0, 1) + (Math.floor(Date.now() / 1000) % 6000) * day;

/** Records one minute, `gap` days after the previous run on the same project; the first one `from` days after `firstDay`. */
function record(from: number, gap: number): Pick<Measured, 'run' | 'minimal'> {
  const sessionOf = (n: number) => {
    const started_at = new Date(firstDay + (from + Math.floor(n / 256) * gap) * day);
    return { started_at, ended_at: new Date(started_at.getTime() + 60_000), note: '' };
  };
  return {
    run: ({ db, owned }, n) => createSessionRepository(db).insert(owned(n).actor, owned(n).id, sessionOf(n)),
    minimal: {
      record: ({ owned }, n) => [owned(n).actor.id, owned(n).id, sessionOf(n).started_at, sessionOf(n).ended_at],
    },
  };
}

const list = (who: typeof reader | typeof administrator, page: number) => (context: Context) =>
  createProjectListReadModel(context.db).read(who, { ...listProjectsQuery.parse({ page: `${page}` }), calendar });

const assigned = numbers(100, (k) => 5000 + k);
const usersOf = (n: number) => numbers(10, (k) => 7000 + ((n * 5 + k) % 100));
async function assign({ client, db }: Context, n: number): Promise<void> {
  const users = usersOf(n);
  const assignments = createAssignmentRepository(db as Transaction);
  await client.query('BEGIN');
  await assignments.lockUsers(users);
  await assignments.lockProjects(assigned);
  await assignments.replaceAll(assigned, users, users);
  await client.query('COMMIT');
}

// As an import writes a chunk: a record on each of a hundred days.
const insertMany = `
  INSERT INTO study_sessions (project_id, owner_id, user_id, started_at, ended_at, source, time_zone)
  SELECT $1, $2, $2, t, t + interval '50 minutes', 'manual', 'Asia/Shanghai'
  FROM generate_series($3::timestamptz, $3::timestamptz + interval '99 days', interval '1 day') AS t`;
const insertChunk = ({ client, owned }: Context, n: number) => {
  const { id, actor } = owned(n);
  const from = new Date(firstDay + (500 + Math.floor(n / 256) * 100) * day);
  return client.query({ name: 'bench_insert_chunk', text: insertMany, values: [id, actor.id, from] });
};

const measured: readonly Measured[] = [
  { name: 'record, later on the same day', ...record(0, 0.01) },
  { name: 'record, on the next day', ...record(3, 1) },
  { name: 'record, days later', ...record(100, 5) },
  { name: 'chunk of 100 records', share: 0.02, run: insertChunk },
  {
    name: 'create a project',
    minimal: { create: ({ owned }, n) => [owned(n).actor.id, fields.name] },
    run: ({ db, owned }, n) => createProjectRepository(db).insert(owned(n).actor.id, fields),
  },
  { name: 'batch replace 100 × 10', share: 0.05, minimal: { batch: (_, n) => [assigned, usersOf(n)] }, run: assign },
  { name: 'list', minimal: { list: () => [reader.id] }, run: list(reader, 1) },
  { name: 'list of an administrator', run: list(administrator, 1) },
  { name: 'its page 100', run: list(administrator, 100) },
  {
    name: 'one project',
    minimal: { get: (_, n) => [administrator.id, 3 + (n % 1000)] },
    run: ({ db }, n) => createProjectRepository(db).findDetail(administrator, 3 + (n % 1000)),
  },
  {
    name: 'statistics, 300 records',
    share: 0.2,
    minimal: { may_see: () => [administrator.id, 2], stats: () => [2] },
    run: ({ db }) => createStatisticsReadModel(db).readProject(administrator, 2, calendar, null),
  },
];

const listOwned = `
  SELECT min(p.id)::integer AS id, p.user_id::integer FROM projects p
  WHERE p.id BETWEEN 1000 AND 2000 AND p.status = 'active' AND p.deleted_at IS NULL
  GROUP BY p.user_id ORDER BY 1 LIMIT 256`;
const signIn = `INSERT INTO sign_ins (user_id, expires_at) VALUES ($1, now() + interval '1 day') RETURNING id`;

async function prepareOwned(client: pg.Client): Promise<Owned[]> {
  const { rows } = await client.query<{ id: number; user_id: number }>(listOwned);
  const owned: Owned[] = [];
  for (const { id, user_id } of rows) {
    const [row] = (await client.query<{ id: string }>(signIn, [user_id])).rows;
    const caller = { id: user_id, role: 'user', timezone: 'Asia/Shanghai', sign_in_id: row?.id };
    const act = { actor_id: user_id, sign_in_id: row?.id, role: 'user', action: 'bench', request_id: '' };
    owned.push({ id, actor: { ...caller, act } as Actor }); // the fields that the statements use
  }
  return owned;
}

/** The 10th percentile: the runs that other load on the machine disturbed least. */
const tenthPercentile = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 10)] ?? 0;

async function connect(url: string, options = '') {
  const connection = `-c TimeZone=UTC -c synchronous_commit=off ${options}`;
  const client = new pg.Client({ connectionString: url, options: connection });
  await client.connect();
  const pid = Number((await client.query('SELECT pg_backend_pid() AS pid')).rows[0]?.pid);
  /** CPU time in milliseconds. */
  const costOf = async (item: () => Promise<unknown>) => {
    const before = await cpuTime(pid);
    await item();
    return (await cpuTime(pid)) - before;
  };
  return { client, costOf };
}

async function main(url: string): Promise<void> {
  const service = await connect(url);
  await createMinimalTables(service.client);
  const minimal = await connect(url, `-c search_path=${schema}`);
  try {
    const projects = await prepareOwned(service.client);
    const owned = (n: number): Owned => {
      const project = projects[n % projects.length];
      if (project === undefined) throw new Error('the database contains no projects: run npm run bench:data first');
      return project;
    };
    const client = service.client as unknown as Client;
    const context = { client, db: executorOf(client), owned };
    process.stdout.write('| statement | ms | minimal ms |\n| --- | --- | --- |\n');
    for (const item of measured.filter(({ name }) => name.includes(flags.only))) {
      const names = Object.keys(item.minimal ?? {}) as (keyof Minimal)[];
      const [serviceTimes, minimalTimes]: [number[], number[]] = [[], []];
      for (let n = 0; n < Number(flags.runs) * (item.share ?? 1); n += 1) {
        serviceTimes.push(await service.costOf(() => item.run(context, n)));
        const run = async () => {
          for (const name of names) {
            const values = item.minimal?.[name]?.(context, n) ?? [];
            await minimal.client.query({ name, text: statements[name], values });
          }
        };
        if (names.length > 0) minimalTimes.push(await minimal.costOf(run));
      }
      process.stdout.write(
        `| ${item.name} | ${tenthPercentile(serviceTimes).toFixed(3)} | ${tenthPercentile(minimalTimes).toFixed(3)} |\n`,
      );
    }
  } finally {
    await service.client.end();
    await minimal.client.end();
  }
}

const url = process.env['DATABASE_URL'];
if (flags.help || url === undefined) {
  process.stdout.write(`${help}\n`);
  process.exitCode = flags.help ? 0 : 1;
} else {
  await main(url);
}
