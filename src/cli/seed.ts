import { administrators, notes, type Plan, plans, students } from '../../seeds/school.ts';
import { createRandom, makeUpStudy } from '../../seeds/study.ts';
import { StartError } from '../boot/start-error.ts';
import { type Container, createContainer } from '../container.ts';
import type { Actor } from '../features/auth/identity.ts';
import { createOneTimePassword } from '../features/auth/passwords.ts';
import { createAdmin } from '../features/users/first-admin.ts';
import type { User } from '../features/users/user-schemas.ts';
import { createLogger } from '../lib/logger.ts';
import { runCommand } from './command.ts';
import { withDatabase } from './database.ts';

const usage = `
Fills a database without users (DATABASE_URL, or the embedded one) with a small school: administrators, students,
projects in every state, assignments, and half a year of study records. All of it or nothing.

  npm run seed
`;

type Services = Container['services'];
type People = ReadonlyMap<string, Actor>;

/** The first administrator is made as on the command line, and makes everybody else. All of them sign in. */
async function makePeople(
  { users, auth, tokens }: Services,
  db: Container['database'],
  password: string,
): Promise<People> {
  const actor = async (user: User): Promise<Actor> => {
    const here = { address: '127.0.0.1', device: 'npm run seed' };
    const origin = { request_id: 'seed', address: here.address };
    const { token } = await auth.login({ name: user.username, password }, here, origin);
    return { ...user, sign_in_id: tokens.check(token)?.sign_in_id ?? '', stamp: { list: '', rows: 0 } };
  };
  const email = (username: string) => `${username}@school.example`;
  const [{ username, ...rest }, ...deputies] = administrators;
  const head = await actor(await createAdmin(db, { username, email: email(username), password }));
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
    people.set(username, await actor(await users.create(db, head, await users.prepare(head, account))));
  }
  return people;
}

function get<Value>(map: ReadonlyMap<string, Value>, name: string): Value {
  const found = map.get(name);
  if (found === undefined) throw new Error(`the demo data name ${name}, who is nobody`);
  return found;
}

/** Creates the projects, all active as yet: study is recorded on active ones. Answers their ids by name. */
async function makeProjects({ projects }: Services, db: Container['database'], people: People) {
  const ids = new Map<string, number>();
  for (const { name, description = '', category, target_hours, rating_standard = 'normal', ...plan } of plans) {
    const owner = get(people, plan.owner);
    const assigned = (plan.assigned ?? []).map((username) => get(people, username).id);
    // A legacy client names one user, later and by the former field; until then it is another's.
    const assigned_user_ids = plan.legacy === true ? [get(people, 'liu.yang').id] : assigned;
    const fields = { name, description, category, target_hours, rating_standard, assigned_user_ids };
    const { id } = await projects.create(db, owner, fields);
    if (plan.legacy === true) await projects.update(owner, id, { assigned_user_id: assigned[0] }, undefined);
    ids.set(name, id);
  }
  return ids;
}

async function makeRecords(
  { sessions }: Services,
  db: Container['database'],
  people: People,
  ids: ReadonlyMap<string, number>,
) {
  const now = new Date();
  let count = 0;
  for (const [index, student] of students.entries()) {
    const own = ({ owner, assigned = [] }: Plan) => owner === student.username || assigned.includes(student.username);
    const subjects = plans.filter(own).map(({ name, days = [182, 0] }) => ({ id: get(ids, name), days }));
    for (const { project_id, ...record } of makeUpStudy(student, subjects, notes, now, createRandom(index + 1))) {
      await sessions.create(db, get(people, student.username), project_id, record);
      count += 1;
    }
  }
  return count;
}

/** Now that all is recorded: what was finished or laid aside, and one that was given up. */
async function endProjects({ projects }: Services, people: People, ids: ReadonlyMap<string, number>): Promise<void> {
  for (const { name, owner, status } of plans)
    if (status !== undefined) await projects.update(get(people, owner), get(ids, name), { status }, undefined);
}

await runCommand(usage, {}, async () => {
  await withDatabase(async (database, config) => {
    const password = createOneTimePassword();
    const { pool, close } = database;
    const made = await database.transaction(async (tx) => {
      // The services on one transaction: they join it.
      const db = { ...tx, pool, close };
      const secrets = ['nobody signs in while demo data are made'];
      const { services } = createContainer({ config, database: db, logger: createLogger('warn'), secrets });
      if ((await services.users.list({ page: 1, limit: 1, status: 'all', role: 'user', search: '' })).total > 0)
        throw new StartError('There are users in this database: demo data go into an empty one. Nothing was changed.');
      const people = await makePeople(services, db, password);
      const ids = await makeProjects(services, db, people);
      const records = await makeRecords(services, db, people, ids);
      await endProjects(services, people, ids);
      return { projects: ids.size, records };
    });
    process.stdout.write(`
A small school: ${administrators.length} administrators, ${students.length} students, ${made.projects} projects, ${made.records} study records.

Everybody signs in with the password   ${password}
Administrators                         ${administrators.map(({ username }) => username).join(', ')}
Students                               ${students.map(({ username }) => username).join(', ')}
`);
  });
});
