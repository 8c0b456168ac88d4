import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { load } from '../../bench/load.ts';
import { type Executor, sql } from '../../src/db/database.ts';
import { createAssignmentRepository } from '../../src/features/assignments/assignment-repository.ts';
import { type Actor, createIdentityReader } from '../../src/features/auth/identity.ts';
import { createProjectListReadModel } from '../../src/features/projects/project-list-read-model.ts';
import { createProjectRepository } from '../../src/features/projects/project-repository.ts';
import { listProjectsQuery } from '../../src/features/projects/project-schemas.ts';
import { createStatisticsReadModel } from '../../src/features/statistics/statistics-read-model.ts';
import { createSessionRepository } from '../../src/features/study-sessions/session-repository.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { explain } from '../support/plans.ts';

// Enough rows that reading all of them is never the cheapest way, on tables that production would fill fifty times over.
const size = { projects: 20_000, users: 2_000, records: 50_000, crowds: [1_000] };
const large = ['projects', 'project_assignments', 'study_sessions', 'project_search', 'users', 'user_list_versions'];

let loaded: TestDatabase;
beforeAll(async () => {
  loaded = await createTestDatabase({ empty: true });
  await load(loaded.url, size, () => undefined);
  for (const actor of [student, admin]) await loaded.database.rows(insertSignIn, [actor.sign_in_id, actor.id]);
}, 300_000);
afterAll(() => loaded.drop());

const known = {
  timezone: 'Asia/Shanghai',
  sign_in_id: '',
  must_change_password: false,
  totp_enabled: false,
  stamp: { list: '', rows: 0 },
};
const student: Actor = { ...known, sign_in_id: randomUUID(), id: 500, username: 'person500', role: 'user' };
const busy: Actor = { ...known, id: 1, username: 'person1', role: 'user' };
const admin: Actor = { ...known, sign_in_id: randomUUID(), id: 21, username: 'person21', role: 'admin' };
const insertSignIn = sql(`INSERT INTO sign_ins (id, user_id, expires_at) VALUES ($1, $2, now() + interval '1 day')`);
const list = (actor: Actor, query: Record<string, string>) => (db: Executor) =>
  createProjectListReadModel(db).read(actor, listProjectsQuery.parse(query));
const fields = { name: 'A new one', description: '', category: 'other', target_hours: 5, rating_standard: 'normal' };
const calendar = { zone: 'Asia/Shanghai', now: new Date('2026-11-01Z'), weeks: 12 };
const session = {
  started_at: new Date('2001-01-01T00:00:00Z'),
  ended_at: new Date('2001-01-01T01:00:00Z'),
  note: '',
};

test.each<[string, (db: Executor) => Promise<unknown>]>([
  ['a list', list(student, {})],
  ['a list, oldest first', list(student, { order: 'asc' })],
  ['a list with a filter', list(student, { status: 'active' })],
  ['a list by hours', list(student, { sort: 'current_hours' })],
  ['a search', list(student, { search: '代数' })],
  ['a list of a user with many projects', list(busy, {})],
  ['a list of own projects', list(student, { creator: 'me' })],
  ['an administrator’s list', list(admin, {})],
  ['its page 1,000', list(admin, { page: '1000' })],
  ['its own projects', list(admin, { creator: 'me' })],
  ['its rare search, two Chinese characters', list(admin, { search: '纠缠' })],
  ['its rare search, six letters', list(admin, { search: 'zygote' })],
  ['its search for what is not there', list(admin, { search: 'nowhere' })],
  ['who the caller is', (db) => createIdentityReader(db).read({ user_id: 500, sign_in_id: signIn, project_ids: [3] })],
  ['one project', (db) => createProjectRepository(db).findDetail(student, 300)],
  ['a project’s statistics', (db) => createStatisticsReadModel(db).readProject(student, 300, calendar, null)],
  ['a person’s statistics', (db) => createStatisticsReadModel(db).readUser(student, 500, calendar)],
  ['a new project', (db) => createProjectRepository(db).insertOwn(student, fields)],
  ['a new record', (db) => createSessionRepository(db).insert(admin, 300, session)],
  ['a new assignment', (db) => createAssignmentRepository(db).replaceAll([300, 301], [600, 601], [600, 601])],
])('%s reads no large table as a whole', async (_name, work) => {
  const nodes = await explain(loaded.database, work);
  expect(nodes).not.toEqual([]);
  const whole = nodes.filter((node) => node['Node Type'].endsWith('Seq Scan'));
  expect(whole.filter((node) => large.includes(node['Relation Name'] ?? ''))).toEqual([]);
});

test('who the caller is, is not planned anew for each caller', async () => {
  const plans = await loaded.database.transaction(async (tx) => {
    const reader = createIdentityReader(tx);
    for (let n = 1; n <= 12; n += 1) await reader.read({ user_id: 500, sign_in_id: signIn, project_ids: [] });
    return tx.rows(countPlans);
  });
  // PostgreSQL tries the first five with their values before it trusts one plan for all.
  expect(plans).toEqual([{ anew: 5 }]);
});

const countPlans = sql(`
  SELECT custom_plans AS anew FROM pg_prepared_statements
  WHERE statement LIKE '%JOIN sign_ins%' AND statement NOT LIKE '%pg_prepared_statements%'`);
const signIn = '00000000-0000-4000-8000-000000000000';
