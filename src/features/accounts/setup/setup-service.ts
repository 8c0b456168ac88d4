import { type Actor, actorOf } from '../../../actor.ts';
import type { TimeZones } from '../../../db/time-zones.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Origin, SecurityLog } from '../../../lib/log/security-log.ts';
import { normaliseAddress } from '../../../lib/network/address.ts';
import { createEncryption } from '../../../lib/secrets/encryption.ts';
import { ValidationError } from '../../../texts/errors.ts';
import type { Db, Tx } from '../../../transactions/transactions.ts';
import { createOneTimePassword, type PasswordHasher } from '../passwords/password-hasher.ts';
import { assertWithoutName } from '../passwords/password-schemas.ts';
import { insertAdmin, newUser } from '../users/account-creation.ts';
import * as users from '../users/user-repository.ts';
import type { SetupInput } from './setup-schemas.ts';

const validMinutes = 30;

/**
 * Tokens of links that create the first administrator. Nothing is stored: every process with the same secret accepts them, and none is
 * valid any more when there is an administrator.
 */
export function createSetupTokens(secrets: readonly string[], clock: Clock) {
  const encryption = createEncryption(secrets, 'set-up link');
  return {
    issue: () => encryption.encrypt(String(clock().getTime() + validMinutes * 60_000)),
    isValid: (token: string) => Number(encryption.decrypt(token) ?? 0) > clock().getTime(),
  };
}

/** Creates the example school, whose teachers are these actors. */
export type FillExampleSchool = (tx: Tx, head: Actor, studentHash: string, now: Date) => Promise<unknown>;

type Options = {
  store: Db;
  secrets: readonly string[];
  hasher: PasswordHasher;
  timeZones: Pick<TimeZones, 'require'>;
  securityLog: SecurityLog;
  fillExampleSchool: FillExampleSchool;
  clock: Clock;
};
export type SetupService = ReturnType<typeof createSetupService>;

export function createSetupService(options: Options) {
  const { store, secrets, hasher, timeZones, securityLog, fillExampleSchool, clock } = options;
  const tokens = createSetupTokens(secrets, clock);
  const invalid = () => ValidationError.of('token', 'invalid_setup_link');

  return {
    /** Creates the first administrator, with an example school if wanted. Throws ValidationError, also if there is an administrator. */
    async complete({ token, password, locale, example, ...given }: SetupInput, origin: Origin) {
      if (!tokens.isValid(token) || (await users.hasAdmin(store))) throw invalid();
      assertWithoutName('password', password, given);
      if (given.timezone !== undefined) await timeZones.require(given.timezone, 'timezone');
      const hash = (text: string) =>
        hasher.enqueue(`address ${normaliseAddress(origin.address)}`, () => hasher.hash(text));
      const account = { fields: newUser({ ...given, role: 'admin', status: 'active' }), hash: await hash(password) };
      const studentPassword = createOneTimePassword();
      const studentHash = example ? await hash(studentPassword) : '';
      const { id, username } = await store.asService(async (tx) => {
        await users.lockFirstAdmin(tx);
        if (await users.hasAdmin(tx)) throw invalid();
        const inserted = await insertAdmin(tx, account);
        const admin = await users.update(tx, inserted, { ...inserted, locale });
        if (example) await fillExampleSchool(tx, actorOf(admin), studentHash, clock());
        return admin;
      });
      securityLog.note('user_created', { id, origin }, { target_user: id, role: 'admin' });
      return { username, ...(example && { example_password: studentPassword }) };
    },
  };
}
