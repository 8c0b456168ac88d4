import { actorOf } from '../actor.ts';
import { createContainer } from '../boot/composition/index.ts';
import { findTokenSecrets } from '../boot/preflight.ts';
import type { Executor } from '../db/database.ts';
import * as credentials from '../features/accounts/sign-ins/passwords/credentials-repository.ts';
import * as users from '../features/accounts/users/user-repository.ts';
import { createLogger } from '../lib/log/logger.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { askNewPassword, defineCommand, withDatabase } from './command.ts';

const usage = `
Lets an administrator in again who has lost the password or the second factor: sets a new password, disables the second
factor, activates the account and ends its sign-ins. The service may be running.

  studytrack admin:reset --username lin

It prompts for the password; without a terminal the password is read from ADMIN_PASSWORD.
`;

export const command = defineCommand(usage, { username: { type: 'string' } }, async ({ values, positionals }) => {
  const { username } = values;
  if (username === undefined || positionals.length > 0) throw new OperatorError('--username is required (see --help).');
  await withDatabase(async (database, config) => {
    const secrets = await findTokenSecrets(config);
    const { services, store } = createContainer({ config, database, logger: createLogger('warn'), secrets });
    const { account } = await credentials.findByName(store, username);
    const user = account === undefined ? undefined : await users.find(store, account.id);
    if (user?.role !== 'admin')
      throw new OperatorError(`There is no administrator ${username}. ${await describeAdmins(store)}`);
    const password = process.stdin.isTTY ? await askNewPassword() : config.firstAdmin.password;
    if (password === undefined)
      throw new OperatorError('There is no terminal to prompt for the password; set ADMIN_PASSWORD.');
    const operator = { ...actorOf(user), id: 0 }; // no user: this account must not count as its own administrator
    await services.users.update(operator, user.id, { status: 'active' });
    await services.users.resetPassword(operator, user.id, { password, contact_request_id: undefined });
    await services.secondFactor.reset(operator, user.id);
    process.stdout.write(`Administrator ${user.username} can sign in with the new password.\n`);
  });
});

const mostNames = 20;

async function describeAdmins(db: Executor): Promise<string> {
  const admins = await db
    .table('users', 'name_administrators')
    .where({ role: 'admin', deleted_at: null })
    .orderBy('id')
    .limit(mostNames)
    .select('username');
  return admins.length === 0 ? 'There is none yet.' : `There are: ${admins.map((each) => each.username).join(', ')}.`;
}
