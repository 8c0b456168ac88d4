import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPlainSql, type PlainSql, type RunSql } from '../../../support/plain-sql.ts';
import { seededRandom } from '../../../support/random.ts';
import { type Copy, documentedSync, emptyCopy } from '../../../support/sync.ts';
import { startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

const writers = 5;
const transactionsEach = 60;

let app: TestApp;
let connections: PlainSql;
beforeAll(async () => {
  app = await startTestApp();
  connections = openPlainSql(app.databaseUrl);
});
afterAll(async () => {
  await connections.close();
  await app.stop();
});

const random = seededRandom(Number(process.env['FUZZ_SEED'] ?? 20_261_122));
const below = (limit: number) => Math.floor(random() * limit);
const pick = <Item>(items: readonly [Item, ...Item[]]): Item => items[below(items.length)] ?? items[0];

/** Schedules transactions in random order, so that some stay open while many others begin and commit. */
function createScheduler() {
  const waiting: (() => void)[] = [];
  let ended = false;
  const run = () => {
    if (ended) return;
    if (random() < 0.3) waiting.splice(below(waiting.length), 1)[0]?.();
    setImmediate(run);
  };
  run();
  return {
    next: () => new Promise<void>((resolve) => void waiting.push(resolve)),
    end: () => {
      ended = true;
    },
  };
}

let hours = 0;
const randomId = (table: string, condition = 'true') =>
  `(SELECT id FROM ${table} WHERE ${condition} ORDER BY random() LIMIT 1)`;

const live = randomId('projects', 'deleted_at IS NULL');
// A statement that waited for a row lock rechecks its own condition, but not that of the subquery.
const stillLive = 'deleted_at IS NULL';
// What services record as events, and the names that they keep for former members.
const tombstones = 'INSERT INTO sync_deletions (user_id, item_type, last_item_id, item_ids)';
const keepName = (query: RunSql, projectId: number) =>
  query(
    `INSERT INTO project_membership_ends (user_id, project_id, ended_at, project_name)
     SELECT u.id, p.id, now(), p.name FROM projects p CROSS JOIN users u
     WHERE p.id = $1 AND u.role <> 'admin' AND u.id <> p.user_id
       AND NOT EXISTS (SELECT FROM project_assignments a WHERE a.project_id = p.id AND a.user_id = u.id)
     ON CONFLICT DO NOTHING`,
    [projectId],
  );
const changes: Record<string, (query: RunSql, people: readonly TestUser[]) => Promise<unknown>> = {
  create: (query, people) =>
    query(`INSERT INTO projects (user_id, name) VALUES ($1, 'Project ' || clock_timestamp())`, [
      people[below(people.length)]?.id,
    ]),
  rename: (query) =>
    query(`UPDATE projects SET name = 'Renamed ' || clock_timestamp() WHERE id = ${live} AND ${stillLive}`),
  trash: async (query) => {
    const [found] = await query<{ id: number }>(
      `SELECT id FROM projects WHERE id = ${live} AND ${stillLive} FOR NO KEY UPDATE`,
    );
    if (found === undefined) return;
    await query(
      `${tombstones} SELECT user_id, 'project', id, ARRAY[id] FROM projects WHERE id = $1
      UNION SELECT user_id, 'project', project_id, ARRAY[project_id] FROM project_assignments WHERE project_id = $1 ON CONFLICT DO NOTHING`,
      [found.id],
    );
    await query(
      `WITH unassigned AS (DELETE FROM project_assignments WHERE project_id = $1)
       UPDATE projects SET deleted_at = now(), former_user_ids = '{}' WHERE id = $1`,
      [found.id],
    );
    await keepName(query, found.id);
  },
  restore: (query) =>
    query(`UPDATE projects SET deleted_at = NULL WHERE id = ${randomId('projects', 'deleted_at IS NOT NULL')}`),
  purge: async (query) => {
    const [found] = await query<{ id: number }>(`SELECT id FROM projects WHERE id = ${live} FOR UPDATE`);
    if (found === undefined) return;
    await query(
      `WITH gone AS (
         DELETE FROM projects p WHERE id = $1 AND NOT EXISTS (SELECT FROM study_sessions WHERE project_id = p.id)
         RETURNING id, user_id)
       ${tombstones} SELECT user_id, 'project', id, ARRAY[id] FROM gone
       UNION SELECT a.user_id, 'project', a.project_id, ARRAY[a.project_id] FROM gone JOIN project_assignments a ON a.project_id = gone.id
       ON CONFLICT DO NOTHING`,
      [found.id],
    );
  },
  assign: async (query, people) => {
    const [found] = await query<{ id: number }>(
      `SELECT id FROM projects WHERE id = ${live} AND ${stillLive} FOR NO KEY UPDATE`,
    );
    if (found === undefined) return;
    await query(
      `WITH added AS (
         INSERT INTO project_assignments (project_id, user_id, position, owner_id, project_created_at)
         SELECT id, $2, 1, user_id, created_at FROM projects WHERE id = $1
         ON CONFLICT DO NOTHING RETURNING project_id, user_id)
       DELETE FROM project_membership_ends e USING added a WHERE e.project_id = a.project_id AND e.user_id = a.user_id`,
      [found.id, people[below(people.length)]?.id],
    );
  },
  unassign: async (query) => {
    const [found] = await query<{ user_id: number; project_id: number }>(
      `SELECT a.user_id, a.project_id FROM project_assignments a JOIN projects p ON p.id = a.project_id
       WHERE (a.project_id, a.user_id) = (
         SELECT o.project_id, o.user_id FROM project_assignments o ORDER BY random() LIMIT 1) FOR NO KEY UPDATE OF p`,
    );
    if (found === undefined) return;
    await query(
      `WITH gone AS (DELETE FROM project_assignments WHERE project_id = $1 AND user_id = $2 RETURNING user_id, project_id, owner_id)
       ${tombstones} SELECT user_id, 'project', project_id, ARRAY[project_id] FROM gone WHERE user_id <> owner_id ON CONFLICT DO NOTHING`,
      [found.project_id, found.user_id],
    );
    await keepName(query, found.project_id);
  },
  record: (query, people) => {
    hours += 1;
    return query(
      `INSERT INTO study_sessions (project_id, owner_id, user_id, started_at, ended_at, source, time_zone)
       SELECT p.id, p.user_id, $1, '2001-01-01'::timestamptz + $2 * interval '1 hour', '2001-01-01'::timestamptz + ($2 + 0.5) * interval '1 hour',
         'manual', 'UTC'
       FROM projects p WHERE p.id = ${live} AND p.${stillLive} AND (p.user_id = $1 OR is_assigned(p.id, $1)) FOR NO KEY UPDATE`,
      [people[below(people.length)]?.id, hours],
    );
  },
  correct: (query) =>
    query(`UPDATE study_sessions SET note = clock_timestamp()::text WHERE id = ${randomId('study_sessions')}`),
  // Like the service: to a locked project that is visible to the author.
  move: async (query) => {
    const [session] = await query<{ id: number; user_id: number }>(
      `SELECT id, user_id FROM study_sessions WHERE id = ${randomId('study_sessions')}`,
    );
    const [target] = await query<{ id: number }>(
      `SELECT p.id FROM projects p WHERE p.id = ${live} AND p.${stillLive} AND (p.user_id = $1 OR is_assigned(p.id, $1)) FOR NO KEY UPDATE`,
      [session?.user_id ?? 0],
    );
    if (session === undefined || target === undefined) return;
    const [locked] = await query<{ owner_id: number }>('SELECT owner_id FROM study_sessions WHERE id = $1 FOR UPDATE', [
      session.id,
    ]);
    await query(
      `WITH moved AS (UPDATE study_sessions SET project_id = $2 WHERE id = $1 RETURNING id, user_id, owner_id)
       ${tombstones} SELECT $3::bigint, 'session', id, ARRAY[id] FROM moved WHERE $3 NOT IN (user_id, owner_id) ON CONFLICT DO NOTHING`,
      [session.id, target.id, locked?.owner_id ?? session.user_id],
    );
  },
  remove: (query) =>
    query(
      `WITH gone AS (DELETE FROM study_sessions WHERE id = ${randomId('study_sessions')} RETURNING id, user_id, owner_id)
       ${tombstones} SELECT user_id, 'session', id, ARRAY[id] FROM gone UNION SELECT owner_id, 'session', id, ARRAY[id] FROM gone
       ON CONFLICT DO NOTHING`,
    ),
};
const names = Object.keys(changes) as [string, ...string[]];
// Mostly records, and assignments that make them visible to others.
const weighted = [...names, 'record', 'record', 'record', 'assign', 'assign', 'create'] as typeof names;

const isConflict = (error: unknown) =>
  error instanceof Error && 'code' in error && ['40P01', '23505', '23503', '23P01'].includes(String(error.code));

async function write(people: readonly TestUser[], turn: () => Promise<void>, done: Map<string, number>): Promise<void> {
  for (let n = 0; n < transactionsEach; n += 1) {
    const chosen = [pick(weighted), ...(random() < 0.3 ? [pick(weighted)] : [])];
    const committed = connections.transaction(async (query) => {
      await query('SELECT pg_current_xact_id()'); // assigns the transaction id long before the commit
      for (const name of chosen) {
        await turn();
        await changes[name]?.(query, people);
      }
      await turn();
    });
    await committed.then(
      () => {
        for (const name of chosen) done.set(name, (done.get(name) ?? 0) + 1);
      },
      (error: unknown) => {
        if (!isConflict(error)) throw error; // unordered locks sometimes deadlock
      },
    );
  }
}

async function readAll(user: TestUser, path: string, list: 'projects' | 'sessions') {
  const found: { id: number; user_id: number; assigned_user_ids: number[]; project_id: number }[] = [];
  for (let page = 1; ; page += 1) {
    const { body } = await app.as(user).get(`${path}?limit=100&page=${page}`).expect(200);
    found.push(...body.data[list]);
    if (page >= body.data.pagination.pages) return found;
  }
}

/** The part of the lists that belongs to the user's copy; administrators see more. */
async function expected(user: TestUser): Promise<Copy> {
  const owned = await app.query<{ id: number }>('SELECT id FROM projects WHERE user_id = $1', [user.id]);
  const ownIds = new Set(owned.map(({ id }) => Number(id)));
  const projects = (await readAll(user, '/api/projects', 'projects')).filter(
    ({ user_id, assigned_user_ids }) => user_id === user.id || assigned_user_ids.includes(user.id),
  );
  const sessions = (await readAll(user, '/api/sessions', 'sessions')).filter(
    ({ user_id, project_id }) => user_id === user.id || ownIds.has(project_id),
  );
  const byId = <Item extends { id: number }>(items: Item[]) => new Map(items.map((item) => [item.id, item]));
  return { projects: byId(projects), sessions: byId(sessions) };
}

const sortedCopy = ({ projects, sessions, colors }: Copy) => ({
  projects: [...projects.values()]
    .map((project) => (colors?.has(project.id) ? { ...project, color: colors.get(project.id) } : project))
    .sort((a, b) => a.id - b.id),
  sessions: [...sessions.values()].sort((a, b) => a.id - b.id),
});

test('synchronized copies equal the lists, regardless of the commit order of writes', async () => {
  const sync = await documentedSync();
  const people = [
    ...(await Promise.all(Array.from({ length: 3 }, () => app.createUser()))),
    await app.createUser({ role: 'admin' }),
  ];
  const clients = people.map((user) => ({ user, copy: emptyCopy(), polls: 0 }));
  const done = new Map<string, number>();
  const scheduler = createScheduler();
  let writing = true;

  const polling = clients.map(async (client) => {
    const { user, copy } = client;
    while (writing) {
      await sync(copy, { url: app.origin, token: user.token, limit: 1 + below(8) });
      client.polls += 1;
    }
    await sync(copy, { url: app.origin, token: user.token });
  });
  try {
    await Promise.all(Array.from({ length: writers }, () => write(people, scheduler.next, done)));
  } finally {
    writing = false;
    scheduler.end();
    await Promise.all(polling);
  }

  expect([...done.keys()].sort()).toEqual([...names].sort());
  for (const { user, copy, polls } of clients) {
    expect(polls).toBeGreaterThan(5);
    const shown = await expected(user);
    expect(sortedCopy(copy), user.username).toEqual(sortedCopy(shown));
  }
});
