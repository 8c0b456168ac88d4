import { requests } from '../../seeds/requests.ts';
import { administrators, groups, notes, type Plan, plans, students } from '../../seeds/school.ts';
import { createRandom, makeUpStudy } from '../../seeds/study.ts';
import { StartError } from '../boot/start-error.ts';
import { type Container, createContainer } from '../composition/index.ts';
import type { Actor } from '../features/auth/identity.ts';
import { createGroupService } from '../features/groups/group-service.ts';
import { createInboxService } from '../features/inbox/inbox-service.ts';
import { createOneTimePassword } from '../features/passwords/one-time-password.ts';
import { createAdmin } from '../features/users/first-admin.ts';
import type { UserRow } from '../features/users/user-repository.ts';
import { createLogger } from '../lib/log/logger.ts';
import { createStore } from '../store.ts';
import { defineCommand } from './command.ts';
import { withDatabase } from './database.ts';

const usage = `
Fills an empty database (DATABASE_URL, or the embedded one) with demo data of a small school: administrators, students in groups,
projects of every status, assignments, and half a year of study sessions, in one transaction.

  studytrack seed
  studytrack seed --force   allows production and existing accounts
`;

const notEmpty =
  'This database has accounts; demo data requires an empty one (--force overrides this). Nothing was changed. ' +
  'To get an empty database, run createdb NAME and set DATABASE_URL to it, or remove data/postgres for the embedded one.';

async function hasAccounts(users: Services['users']): Promise<boolean> {
  const count = async (role: 'admin' | 'user') =>
    (await users.list({ page: 1, limit: 1, status: 'all', role, search: '' })).total;
  return (await count('user')) > 0 || (await count('admin')) > 1;
}

type Services = Container['services'];
type People = ReadonlyMap<string, Actor>;

async function createPeople({ users, auth }: Services, db: Container['database'], password: string): Promise<People> {
  const actor = async (user: UserRow): Promise<Actor> => {
    const client = { address: '127.0.0.1', device: 'npm run seed' };
    const origin = { request_id: 'seed', address: client.address };
    const { sign_in } = await auth.login({ name: user.username, password }, client, origin);
    return { ...user, sign_in_id: sign_in.sign_in_id };
  };
  const email = (username: string) => `${username}@school.example`;
  const [{ username, ...rest }, ...deputies] = administrators;
  const head = await actor(await createAdmin(createStore(db), { username, email: email(username), password }));
  const people = new Map<string, Actor>([[username, { ...head, ...(await users.update(head, head.id, rest)) }]]);

  const others = [
    ...deputies.map((person) => ({ ...person, role: 'admin' as const })),
    ...students.map((person) => ({ ...person, role: 'user' as const })),
  ];
  for (const { username, display_name, timezone, role } of others) {
    const account = {
      username,
      email: email(username),
      display_name,
      role,
      status: 'active' as const,
      timezone,
      password,
    };
    const { user } = await users.create(createStore(db), head, await users.prepare(head, account));
    people.set(username, await actor(user));
  }
  return people;
}

function get<Value>(map: ReadonlyMap<string, Value>, name: string): Value {
  const found = map.get(name);
  if (found === undefined) throw new Error(`unknown user in the demo data: ${name}`);
  return found;
}

/** All are active, because study is recorded on active projects. Returns their ids by name. */
async function createProjects({ projects }: Services, people: People) {
  const ids = new Map<string, number>();
  for (const { name, description = '', category, target_hours, rating_standard = 'normal', ...plan } of plans) {
    const owner = get(people, plan.owner);
    const assigned = (plan.assigned ?? []).map((username) => get(people, username).id);
    // Like a legacy client, which later assigns one user by the former field.
    const assigned_user_ids = plan.legacy === true ? [get(people, 'liu.yang').id] : assigned;
    const goal = {
      due_date: null,
      weekly_goal_hours: plan.weekly_goal_hours ?? null,
      target_scope: 'shared' as const,
      color: null,
    };
    const fields = { name, description, category, target_hours, rating_standard, ...goal, assigned_user_ids };
    const { id } = await projects.create(owner, fields);
    if (plan.legacy === true) await projects.update(owner, id, { assigned_user_id: assigned[0] }, undefined);
    ids.set(name, id);
  }
  return ids;
}

async function createGroups(store: Container['store'], people: People): Promise<void> {
  const service = createGroupService({ store });
  for (const { name, owner, members } of groups) {
    const user_ids = members.map((username) => get(people, username).id);
    await service.create(store, get(people, owner), { name, user_ids });
  }
}

async function createRecords({ sessions }: Services, people: People, ids: ReadonlyMap<string, number>) {
  const now = new Date();
  let count = 0;
  for (const [index, student] of students.entries()) {
    const own = ({ owner, assigned = [] }: Plan) => owner === student.username || assigned.includes(student.username);
    const subjects = plans.filter(own).map(({ name, days = [182, 0] }) => ({ id: get(ids, name), days }));
    for (const { project_id, ...record } of makeUpStudy(student, subjects, notes, now, createRandom(index + 1))) {
      await sessions.create(get(people, student.username), project_id, record);
      count += 1;
    }
  }
  return count;
}

async function updateProjects({ projects }: Services, people: People, ids: ReadonlyMap<string, number>): Promise<void> {
  for (const { name, owner, status, due_in: days } of plans) {
    const due = days === undefined ? undefined : new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    if (status !== undefined || due !== undefined)
      await projects.update(get(people, owner), get(ids, name), { status, due_date: due }, undefined);
  }
}

/** Some requests are already handled, so that the audit log has entries. */
async function createRequests(store: Container['store'], people: People): Promise<void> {
  const inbox = createInboxService({ store, clock: () => new Date() });
  for (const { hours_ago, handled, ...request } of requests) {
    const at = new Date(Date.now() - hours_ago * 3_600_000);
    const { id } = await store.submissions.insert(
      { ...request, ip_address: '192.0.2.1', user_agent: 'npm run seed' },
      at,
    );
    if (handled === undefined) continue;
    const { by, ...change } = handled;
    const actor = get(people, by);
    const { id: actor_id, sign_in_id, role } = actor;
    const act = { actor_id, sign_in_id, role, action: 'advanceContactRequest', request_id: 'seed' };
    await inbox.advance({ ...actor, act }, id, change, undefined);
  }
}

export const command = defineCommand(usage, { force: { type: 'boolean', default: false } }, async ({ values }) => {
  await withDatabase(async (database, config) => {
    if (config.production && values.force !== true)
      throw new StartError(
        'Demo data is not allowed with NODE_ENV=production (--force overrides this). Nothing was changed.',
      );
    const password = createOneTimePassword();
    const { pool, close } = database;
    const created = await database.transaction(async (tx) => {
      const db = { ...tx, pool, close };
      const secrets = ['unused while demo data is created'];
      const { services, store } = createContainer({ config, database: db, logger: createLogger('warn'), secrets });
      if (values.force !== true && (await hasAccounts(services.users))) throw new StartError(notEmpty);
      const people = await createPeople(services, db, password);
      await createGroups(store, people);
      const ids = await createProjects(services, people);
      const records = await createRecords(services, people, ids);
      await updateProjects(services, people, ids);
      await createRequests(store, people);
      return { projects: ids.size, records };
    });
    process.stdout.write(`
A small school: ${administrators.length} administrators, ${students.length} students, ${created.projects} projects, ${created.records} study records.

All accounts have the password         ${password}
Administrators                         ${administrators.map(({ username }) => username).join(', ')}
Students                               ${students.map(({ username }) => username).join(', ')}
`);
  });
});
