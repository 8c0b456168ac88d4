import { connect } from '../boot/composition/database.ts';
import { createAdmin } from '../features/accounts/users/account-creation.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { askNewPassword, defineCommand, withDatabase } from './command.ts';

const usage = `
Creates an administrator in the database (DATABASE_URL, or the embedded one).

  studytrack admin:create --username lin --email lin@example.org

It prompts for the password; without a terminal the password is read from ADMIN_PASSWORD.
`;

const options = { username: { type: 'string' }, email: { type: 'string' } } as const;

export const command = defineCommand(usage, options, async ({ values: { username, email }, positionals }) => {
  if (username === undefined || email === undefined || positionals.length > 0)
    throw new OperatorError('--username and --email are required (see --help).');
  await withDatabase(async (database, config) => {
    const password = process.stdin.isTTY ? await askNewPassword() : config.firstAdmin.password;
    if (password === undefined)
      throw new OperatorError('There is no terminal to prompt for the password; set ADMIN_PASSWORD.');
    const admin = await createAdmin(connect(database), { username, email, password });
    process.stdout.write(`Administrator ${admin.username} created.\n`);
  });
});
