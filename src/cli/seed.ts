import { administrators, classTeacher, students } from '../../seeds/school.ts';
import { actorOf } from '../actor.ts';
import { connect } from '../boot/composition/database.ts';
import { fillExampleSchool } from '../boot/example-school/example-school.ts';
import { createOneTimePassword, createPasswordHasher } from '../features/accounts/passwords/password-hasher.ts';
import { insertAdmin, newUser } from '../features/accounts/users/account-creation.ts';
import { list as listUsers } from '../features/accounts/users/user-list-read-model.ts';
import { OperatorError } from '../lib/operator-error.ts';
import type { Db, Tx } from '../transactions/transactions.ts';
import { defineCommand, withDatabase } from './command.ts';

const usage = `
Fills an empty database (DATABASE_URL, or the embedded one) with an example school: two teachers, a class teacher, three
classes, projects of every status, a term with a holiday, and sixteen weeks of study, in one transaction.

  studytrack seed
  studytrack seed --force   allows production and existing accounts
`;

const notEmpty =
  'This database has accounts; the example school requires an empty one (--force overrides this). Nothing was changed. ' +
  'To get an empty database, run createdb NAME and set DATABASE_URL to it, or remove data/postgres for the embedded one.';

async function hasAccounts(db: Db): Promise<boolean> {
  const count = async (role: 'admin' | 'user') =>
    (await listUsers(db, { page: 1, limit: 1, status: 'all', role, search: '' })).total;
  return (await count('user')) > 0 || (await count('admin')) > 1;
}

async function createTeachers(tx: Tx, hash: string) {
  const [he, green] = administrators.map((teacher) =>
    newUser({ ...teacher, email: `${teacher.username}@school.example`, role: 'admin', status: 'active' }),
  );
  if (he === undefined || green === undefined) throw new Error('the example school has two teachers');
  return {
    'he.laoshi': actorOf(await insertAdmin(tx, { fields: he, hash })),
    'margaret.green': actorOf(await insertAdmin(tx, { fields: green, hash })),
  };
}

export const command = defineCommand(usage, { force: { type: 'boolean', default: false } }, async ({ values }) => {
  await withDatabase(async (database, config) => {
    if (config.production && values.force !== true)
      throw new OperatorError(
        'The example school is not allowed with NODE_ENV=production (--force overrides this). Nothing was changed.',
      );
    const password = createOneTimePassword();
    const hash = await createPasswordHasher().hash(password);
    const created = await connect(database).asService(async (tx) => {
      if (values.force !== true && (await hasAccounts(tx))) throw new OperatorError(notEmpty);
      return fillExampleSchool(tx, await createTeachers(tx, hash), hash, new Date());
    });
    process.stdout.write(`
An example school: ${administrators.length} teachers, ${created.students} students, ${created.projects} projects, ${created.records} study records.

All accounts have the password         ${password}
Administrators                         ${administrators.map(({ username }) => username).join(', ')}
Class teacher                          ${classTeacher.username}
Students                               ${students.map(({ username }) => username).join(', ')}
`);
  });
});
