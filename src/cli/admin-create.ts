import { StartError } from '../boot/start-error.ts';
import { createAdmin } from '../features/users/first-admin.ts';
import { askNewPassword } from './ask-password.ts';
import { runCommand } from './command.ts';
import { withDatabase } from './database.ts';

const usage = `
Makes an administrator in the database (DATABASE_URL, or the embedded one).

  npm run admin:create -- --username lin --email lin@example.org

The password is asked for. Without a terminal it is taken from ADMIN_PASSWORD.
`;

const options = { username: { type: 'string' }, email: { type: 'string' } } as const;

await runCommand(usage, options, async ({ values: { username, email }, positionals }) => {
  if (username === undefined || email === undefined || positionals.length > 0)
    throw new StartError('Give --username and --email, and nothing else (see --help).');
  await withDatabase(async (database, config) => {
    const password = process.stdin.isTTY ? await askNewPassword() : config.firstAdmin.password;
    if (password === undefined) throw new StartError('There is no terminal to ask on: set ADMIN_PASSWORD.');
    const admin = await createAdmin(database, { username, email, password });
    process.stdout.write(`The administrator ${admin.username} was made.\n`);
  });
});
