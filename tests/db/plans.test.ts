import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { load } from '../../bench/load.ts';
import type { Actor } from '../../src/actor.ts';
import type { Database, Executor, Transaction } from '../../src/db/database.ts';
import { sql, t } from '../../src/db/sql/sql.ts';
import { command, query } from '../../src/db/sql/statement.ts';
import * as groups from '../../src/features/accounts/groups/group-repository.ts';
import * as endedSignIns from '../../src/features/accounts/sign-ins/ended-sign-in-repository.ts';
import { createIdentityReader } from '../../src/features/accounts/sign-ins/identity.ts';
import * as signIns from '../../src/features/accounts/sign-ins/sign-in-repository.ts';
import * as userList from '../../src/features/accounts/users/user-list-read-model.ts';
import { listUsersQuery } from '../../src/features/accounts/users/user-schemas.ts';
import { beginningOf } from '../../src/features/integrations/sync/sync-cursor.ts';
import * as sync from '../../src/features/integrations/sync/sync-repository.ts';
import * as progressOfUsers from '../../src/features/school/progress/progress-read-model.ts';
import { exportProgressQuery, progressQuery } from '../../src/features/school/progress/progress-schemas.ts';
import * as hoursByProject from '../../src/features/school/progress/project-hours-read-model.ts';
import { maxProjects, projectHoursQuery } from '../../src/features/school/progress/project-hours-schemas.ts';
import { readStandings } from '../../src/features/school/progress/standing-sql.ts';
import * as reminders from '../../src/features/school/reminders/reminder-repository.ts';
import * as reportLinks from '../../src/features/school/reports/report-link-repository.ts';
import * as reports from '../../src/features/school/reports/report-read-model.ts';
import * as rosters from '../../src/features/school/roster/roster-repository.ts';
import * as rosterRows from '../../src/features/school/roster/roster-row-repository.ts';
import * as assignments from '../../src/features/study/assignments/assignment-repository.ts';
import { createMemberReadModel } from '../../src/features/study/assignments/member-read-model.ts';
import * as dashboard from '../../src/features/study/dashboard/dashboard-read-model.ts';
import * as goals from '../../src/features/study/goals/goal-read-model.ts';
import * as images from '../../src/features/study/images/image-repository.ts';
import {
  createAssignableReadModel,
  createProjectListReadModel,
} from '../../src/features/study/projects/list/project-list-read-model.ts';
import * as projects from '../../src/features/study/projects/project-repository.ts';
import { listProjectsQuery } from '../../src/features/study/projects/project-schemas.ts';
import * as imports from '../../src/features/study/session-import/import-repository.ts';
import * as statistics from '../../src/features/study/statistics/statistics-read-model.ts';
import { createSessionListReadModel } from '../../src/features/study/study-sessions/list/session-list-read-model.ts';
import { listSessionsQuery } from '../../src/features/study/study-sessions/session-schemas.ts';
import { recordAll } from '../../src/features/study/study-sessions/session-sql.ts';
import * as tags from '../../src/features/study/tags/tag-repository.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { explain as explainWith, type PlanNode } from '../support/plans.ts';

// Enough rows that a sequential scan is never the cheapest plan.
const size = { projects: 20_000, users: 2_000, records: 50_000, crowds: [1_000] };
const large = [
  'projects',
  'project_assignments',
  'study_sessions',
  'project_search',
  'users',
  'user_list_versions',
  'project_user_totals',
  'groups',
  'group_members',
  'sign_ins',
  'roster_rows',
  'roster_accounts',
];

let loaded: TestDatabase;
const usedIndexes = new Set<string>();

async function explain(database: Database, work: (db: Transaction) => Promise<unknown>): Promise<PlanNode[]> {
  const nodes = await explainWith(database, work);
  for (const { 'Index Name': index } of nodes) if (index !== undefined) usedIndexes.add(index);
  return nodes;
}

/** Needed by exports only, which cannot run inside a transaction. */
let outside: Pick<Database, 'pool' | 'close'>;
beforeAll(async () => {
  loaded = await createTestDatabase({ empty: true });
  outside = { pool: loaded.database.pool, close: loaded.database.close };
  await load(loaded.url, size, () => undefined);
  await loaded.sql.query(`UPDATE projects SET due_date = '2026-10-01'::date + (id % 90)::integer WHERE id % 7 = 0`);
  await loaded.sql.query(
    `UPDATE study_sessions SET note = CASE WHEN id % 25000 = 1 THEN 'zygote 纠缠' ELSE 'Exercises ' || id % 97 END WHERE id % 2 = 1`,
  );
  await loaded.sql.query(`UPDATE study_sessions SET tags = '{reading}' WHERE id % 20 = 0`);
  await loaded.sql.query(`UPDATE study_sessions SET tags = '{exam}' WHERE user_id = 500 OR id % 25000 = 2`);
  await loaded.sql.query(
    `UPDATE study_sessions SET ended_at = NULL WHERE id IN (
       SELECT DISTINCT ON (s.user_id) s.id FROM study_sessions s WHERE s.user_id IN (500, 501, 502)
       ORDER BY s.user_id, s.started_at DESC)`,
  );
  await loaded.sql.query(`INSERT INTO groups (name) SELECT 'Class ' || n FROM generate_series(1, 2000) AS n`);
  await loaded.sql.query(
    'INSERT INTO group_members (group_id, user_id) SELECT g.id, u.id FROM groups g, users u WHERE u.id % 200 = g.id % 200 ON CONFLICT DO NOTHING',
  );
  await loaded.sql.query(
    `INSERT INTO rosters (user_id, sign_in_id, request_id, dry_run, missing, invite, format, columns, state, rows, errors_count,
       errors, created_at)
     VALUES (21, $1, 'plans', false, 'keep', false, 'csv', '[]', 'checking', 20000, 0, '[]', now())`,
    [randomUUID()],
  );
  await loaded.sql.query(
    `INSERT INTO roster_rows (roster_id, row, username, email, external_id, group_names, kind, user_id, settled)
     SELECT 1, n, 'person' || n, 'person' || n || '@example.org', 'S' || n, ARRAY['Class ' || n % 3000], 'existing',
       CASE WHEN n < 2000 THEN n END, n % 100 > 0 FROM generate_series(1, 20000) AS n`,
  );
  await loaded.sql.query(`INSERT INTO roster_accounts (user_id, external_id) SELECT id, 'S' || id FROM users`);
  await loaded.sql.query('ANALYZE roster_rows, roster_accounts, rosters');
  // VACUUM marks pages as visible only if their commits are on disk, which an asynchronous commit is only later: this one waits for all.
  await loaded.sql.query(`BEGIN; SET LOCAL synchronous_commit = on;
    INSERT INTO sign_ins (user_id, expires_at) SELECT id, now() + interval '1 day' FROM users; COMMIT`);
  // A snapshot held meanwhile, such as that of an automatic ANALYZE, keeps pages from being marked as visible.
  await vi.waitFor(async () => {
    await loaded.sql.query('VACUUM ANALYZE projects, study_sessions, groups, group_members, sign_ins');
    const partly = `SELECT relname FROM pg_class WHERE relname IN ('projects', 'study_sessions') AND relallvisible < relpages`;
    expect(await loaded.sql.query(partly)).toEqual([]);
  }, 30_000);
  for (const actor of [student, admin]) await loaded.sql.query(insertSignIn, [actor.sign_in_id, actor.id]);
});
afterAll(() => loaded.drop());

const known = {
  timezone: 'Asia/Shanghai',
  sign_in_id: '',
  must_change_password: false,
  totp_enabled: false,
};
const student: Actor = { ...known, sign_in_id: randomUUID(), id: 500, username: 'person500', role: 'user' };
const busy: Actor = { ...known, id: 1, username: 'person1', role: 'user' };
const admin: Actor = { ...known, sign_in_id: randomUUID(), id: 21, username: 'person21', role: 'admin' };
const insertSignIn = `INSERT INTO sign_ins (id, user_id, expires_at) VALUES ($1, $2, now() + interval '1 day')`;
const list = (actor: Actor, query: Record<string, string>) => (db: Executor) =>
  createProjectListReadModel(db).read(actor, { ...listProjectsQuery.parse(query), calendar });
const records =
  (actor: Actor, query: Record<string, string>, between: { from?: Date; to?: Date } = {}) =>
  (db: Transaction) => {
    const lists = createSessionListReadModel({ ...outside, ...db });
    return lists.read(
      actor,
      { ...listSessionsQuery.parse(query), from: undefined, to: undefined, ...between },
      calendar.now,
    );
  };
const changes = (actor: Actor) => (db: Executor) => sync.readChanges(db, actor, beginningOf('0'), 1001);
const progress = (query: Record<string, string>) => async (db: Executor) => {
  const users = await progressOfUsers.list(db, { ...progressQuery.parse(query), now: calendar.now });
  await readStandings(
    db,
    users.map(({ user_id, timezone }) => ({ user_id, zone: timezone })),
    calendar.now,
  );
};
const projectHours = (query: Record<string, string>) => async (db: Executor) => {
  const filter = { ...projectHoursQuery.parse(query), now: calendar.now };
  const users = await hoursByProject.listUsers(db, filter);
  const userIds = users.map(({ user_id }) => user_id);
  await hoursByProject.listProjects(db, { userIds, groupId: filter.group_id }, maxProjects, calendar);
};
const fields = {
  name: 'A new one',
  description: '',
  category: 'other',
  target_hours: 5,
  rating_standard: 'normal',
  due_date: null,
  weekly_goal_hours: null,
  target_scope: 'shared',
  color: null,
} as const;
const linksOf500 = { user_id: 500, page: 1, limit: 10 };
const calendar = { zone: 'Asia/Shanghai', now: new Date('2026-11-01Z'), weeks: 12, user_id: 500 };
const reportDays = { zone: 'Asia/Shanghai', from: '2026-10-01', to: '2026-10-31', now: calendar.now };
const session = {
  started_at: new Date('2001-01-01T00:00:00Z'),
  ended_at: new Date('2001-01-01T01:00:00Z'),
  note: '',
  tags: [],
};

test.each<[string, (db: Transaction) => Promise<unknown>]>([
  ['a list', list(student, {})],
  ['a list, oldest first', list(student, { order: 'asc' })],
  ['a list with a filter', list(student, { status: 'active' })],
  ['a list by hours', list(student, { sort: 'current_hours' })],
  ['a list of goals behind schedule', list(student, { state: 'behind' })],
  ['a list by own hours', list(student, { sort: 'own_hours' })],
  ['a search', list(student, { search: '代数' })],
  ['a list of a user with many projects', list(busy, {})],
  ['a list of own projects', list(student, { creator: 'me' })],
  ['an administrator’s list', list(admin, {})],
  ['its page 1,000', list(admin, { page: '1000' })],
  ['its goals that are overdue', list(admin, { state: 'overdue' })],
  ['its projects of one user', list(admin, { assigned_user_id: '500' })],
  ['its projects of nobody', list(admin, { assigned: 'none' })],
  ['its own projects', list(admin, { creator: 'me' })],
  ['its rare search, two Chinese characters', list(admin, { search: '纠缠' })],
  ['its rare search, six letters', list(admin, { search: 'zygote' })],
  ['its search without matches', list(admin, { search: 'nowhere' })],
  ['the trash', (db) => createProjectListReadModel(db).readTrash(student, 1, 10)],
  ['an administrator’s trash', (db) => createProjectListReadModel(db).readTrash(admin, 1, 10)],
  ['own sign-ins', (db) => signIns.listActive(db, 500, calendar.now)],
  ['sign-ins that have expired', (db) => endedSignIns.deleteExpired(db, calendar.now)],
  [
    'the identity of the caller',
    (db) => createIdentityReader(db).read({ user_id: 500, sign_in_id: signIn, project_ids: [3] }),
  ],
  ['one project', (db) => projects.findDetails(db, [{ reader: student, id: 300 }])],
  ['a project’s statistics', (db) => statistics.readProject(db, student, 300, calendar, null)],
  ['a person’s statistics', (db) => statistics.readUser(db, student, 500, calendar)],
  ['a forecast', (db) => goals.read(db, student, 300, calendar)],
  ['a start page', (db) => dashboard.read(db, student, calendar)],
  ['a start page of a user with many projects', (db) => dashboard.read(db, busy, calendar)],
  ['an administrator’s start page', (db) => dashboard.read(db, admin, calendar)],
  ['a synchronization', changes(student)],
  ['a synchronization of a user with many projects', changes(busy)],
  ['an administrator’s synchronization', changes(admin)],
  ['a list of records', records(busy, {})],
  ['an administrator’s list of records', records(admin, {})],
  [
    'its records of some days',
    records(admin, {}, { from: new Date('2026-10-01T12:00:00Z'), to: new Date('2026-10-09T12:00:00Z') }),
  ],
  ['a search in own notes', records(student, { search: 'exercises 7' })],
  ['own tags', (db) => tags.list(db, busy.id)],
  ['own records with a tag', records(busy, { tag: 'exam' })],
  ['its records with a tag', records(admin, { tag: 'exam' })],
  ['own running timers', records(student, { running: 'true' })],
  ['its rare search in notes, two Chinese characters', records(admin, { search: '纠缠' })],
  ['its rare search in notes, six letters', records(admin, { search: 'zygote' })],
  ['its search in notes without matches', records(admin, { search: 'nowhere' })],
  ['its running timers', records(admin, { running: 'true' })],
  ['its records of a username', records(admin, { username: 'Person500' })],
  ['the progress of users', progress({})],
  ['the progress of a group, by recent hours', progress({ group_id: '3', sort: 'hours_28d' })],
  ['the progress of the users of a project', progress({ project_id: '300', sort: 'last_session' })],
  ['the progress of users with a name', progress({ search: 'person77' })],
  ['the hours of users by project', projectHours({})],
  [
    'the projects of a hundred users',
    (db) => {
      const userIds = Array.from({ length: 100 }, (_, n) => 501 + n);
      return hoursByProject.listProjects(db, { userIds, groupId: undefined }, maxProjects, calendar);
    },
  ],
  [
    'the hours of a group by project, by those on one',
    projectHours({ group_id: '3', sort: 'project_hours', sort_project_id: '300' }),
  ],
  [
    'the second part of an export of hours by project',
    (db) =>
      hoursByProject.listPairsAfter(
        db,
        { ...exportProgressQuery.parse({}), now: calendar.now },
        { username: 'person1500', project_id: 300 },
        1000,
      ),
  ],
  [
    'the members of a project',
    (db) =>
      createMemberReadModel({ ...outside, ...db })
        .members(admin, 300)
        .list(1000),
  ],
  ['the bytes of the pictures of a user', (db) => images.sumBytes(db, 500)],
  ['a group', (db) => groups.find(db, 3)],
  ['the members of groups', (db) => groups.listActiveMembers(db, [1, 2, 3])],
  ['users with a name', (db) => userList.list(db, listUsersQuery.parse({ search: 'person77' }))],
  [
    'users who may be assigned, with a name',
    (db) =>
      createAssignableReadModel({ ...outside, ...db })
        .users(admin, { search: '人77' })
        .list(1000),
  ],
  [
    'a new project',
    (db) => projects.create(db, [{ actor: student, input: { user_id: student.id, ...fields } }], false),
  ],
  [
    'a new record',
    (db) =>
      recordAll(
        db,
        [{ actor: admin, input: { user_id: 21, role: 'admin', time_zone: 'UTC', project_id: 300, ...session } }],
        false,
      ),
  ],
  ['the links to reports of a student', (db) => reportLinks.list(db, linksOf500, calendar.now)],
  ['the quota of links to reports', (db) => reportLinks.countOpen(db, 500, calendar.now)],
  ['links to reports that have expired', (db) => reportLinks.deleteExpired(db, calendar.now)],
  ['the projects of a report', (db) => reports.listProjects(db, admin, 500, [300, 301], reportDays, 12)],
  ['the mails that are due', (db) => reminders.listDue(db, calendar.now, 0, 100, true)],
  ['the projects of an import', (db) => imports.listProjects(db, 1)],
  ['the next row of a roster', (db) => rosterRows.findPending(db, 1)],
  ['the accounts that a page of a roster names', (db) => rosterRows.match(db, 1, 1000, 50)],
  ['an account that leaves the rosters', (db) => rosters.forget(db, 500)],
  ['a row of a roster that is applied', (db) => rosterRows.setResult(db, 1, 100, 500, null)],
  ['a new assignment', (db) => assignments.replaceAll(db, admin, [300, 301], [600, 601], [600, 601])],
])('%s scans no large table sequentially', async (_name, work) => {
  const nodes = await explain(loaded.database, work);
  expect(nodes).not.toEqual([]);
  const scans = nodes.filter((node) => node['Node Type'].endsWith('Seq Scan'));
  expect(scans.filter((node) => large.includes(node['Relation Name'] ?? ''))).toEqual([]);
});

test.each([
  [{ search: 'zygote' }, 'study_sessions_note_pairs_idx'],
  [{ search: '纠缠', order: 'asc' }, 'study_sessions_note_pairs_idx'],
  [{ search: '纠' }, 'study_sessions_note_characters_idx'],
  [{ tag: 'exam' }, 'study_sessions_tags_idx'],
  [{ running: 'true' }, 'study_sessions_one_running'],
])('an administrator’s records by %j are found by %s', async (query, index) => {
  const nodes = await explain(loaded.database, records(admin, query));
  expect(nodes.map((node) => node['Index Name'])).toContain(index);
});

test.each<[string, (db: Transaction) => Promise<unknown>, string]>([
  [
    'users by a name that all have',
    (db) => userList.list(db, listUsersQuery.parse({ search: 'person' })),
    'users_search_pairs_idx',
  ],
  ['projects by a word that most have', list(admin, { search: 'every week' }), 'project_search_pairs_idx'],
  ['records by a word that most notes have', records(admin, { search: 'exercises' }), 'study_sessions_note_pairs_idx'],
])(
  '%s are found by an index, which is a hundred times as fast as computing the pairs of every row',
  async (_, work, index) => {
    const nodes = await explain(loaded.database, work);
    expect(nodes.map((node) => node['Index Name'])).toContain(index);
  },
);

test.each<[string, (db: Transaction) => Promise<unknown>]>([
  ['the last page of all projects', list(admin, { page: '2000' })],
  ['a page of projects by status', list(admin, { page: '50', status: 'paused' })],
  ['a page of all records', records(admin, { page: '2000' })],
  ['the last page of all records by 10', records(admin, { page: '4999' })],
  ['a page of finished records, oldest first', records(admin, { page: '4000', running: 'false', order: 'asc' })],
])('%s is found without reading the earlier pages', async (_name, work) => {
  const nodes = await explain(loaded.database, work);
  // A tenth of the projects and of the records.
  expect(Math.max(...nodes.map((node) => node['Actual Rows'] * (node['Actual Loops'] ?? 1)))).toBeLessThan(2_500);
});

test.each(['owner', 'admin'])(
  'the records of a project are counted by an index-only scan, for its %s',
  async (role) => {
    const [owner] = await loaded.sql.query<{ id: number }>('SELECT user_id AS id FROM projects WHERE id = 1');
    const reader = role === 'admin' ? admin : { ...student, ...owner };
    const nodes = await explain(loaded.database, records(reader, { project_id: '1' }));
    const many = nodes.filter((node) => node['Relation Name'] === 'study_sessions' && node['Actual Rows'] > 100);
    expect(many.map((node) => node['Node Type'])).toEqual(['Index Only Scan']);
  },
);

test('reading one project reads one record, by index', async () => {
  const nodes = await explain(loaded.database, (db) => projects.findDetails(db, [{ reader: student, id: 300 }]));
  const records = nodes.filter((node) => node['Relation Name'] === 'study_sessions');
  expect(records.map((node) => [node['Index Name'], node['Actual Rows']])).toEqual([
    ['study_sessions_project_stats_idx', 1],
  ]);
});

test('reading identities does not plan for each caller', async () => {
  const plans = await loaded.database.transaction(async (tx) => {
    await tx.execute(planAsElsewhere());
    const reader = createIdentityReader(tx);
    for (let n = 1; n <= 12; n += 1) await reader.read({ user_id: 500, sign_in_id: signIn, project_ids: [] });
    return tx.many(countPlans('/* read_identities%'));
  });
  // PostgreSQL uses custom plans for the first five executions before it chooses a generic one.
  expect(plans).toEqual([{ custom: 5 }]);
});

test('the list of administrators is not planned for each page', async () => {
  const plans = await loaded.database.transaction(async (tx) => {
    await tx.execute(planAsElsewhere());
    for (let page = 1; page <= 12; page += 1) await list(admin, { page: `${page}`, limit: `${20 - page}` })(tx);
    return tx.many(countPlans('%FROM project_counts c  GROUP BY%'));
  });
  expect(plans).toEqual([{ custom: 5 }]);
});

// A throw-away server has generic plans only.
const planAsElsewhere = command('', () => sql`SET LOCAL plan_cache_mode = auto`);
const countPlans = query(
  'test_count_plans',
  { custom: t.bigint },
  (pattern: string) => sql`
  SELECT custom_plans AS custom FROM pg_prepared_statements
  WHERE statement LIKE ${t.text(pattern)} AND statement NOT LIKE '%pg_prepared_statements%'`,
);
const signIn = '00000000-0000-4000-8000-000000000000';

// Unique indexes enforce constraints.
const findIndexes = `
  SELECT i.indexrelid::regclass::text AS name FROM pg_index i
  WHERE i.indrelid = ANY ($1::regclass[]) AND NOT i.indisunique AND NOT i.indisexclusion ORDER BY 1`;

test('every index of a large table is used by a statement above', async () => {
  const indexes = await loaded.sql.query<{ name: string }>(findIndexes, [large]);
  const unused = indexes.map(({ name }) => name).filter((name) => !usedIndexes.has(name));
  expect(unused).toEqual([]);
});
