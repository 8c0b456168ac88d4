import type { Executor } from '../../db/database.ts';
import { sql, t } from '../../db/sql/sql.ts';
import { command } from '../../db/sql/statement.ts';

const upsertAddress = command(
  'upsert_sign_in_address',
  (userId: number, address: string, now: Date) => sql`
    INSERT INTO sign_in_addresses (user_id, address, last_signed_in_at)
    VALUES (${t.bigint(userId)}, ${t.text(address)}, ${t.timestamptz(now)})
    ON CONFLICT ON CONSTRAINT sign_in_addresses_pkey DO UPDATE
      SET last_signed_in_at = greatest(sign_in_addresses.last_signed_in_at, excluded.last_signed_in_at)`,
);

export function createSignInAddressRepository(db: Executor) {
  return {
    upsert: (userId: number, address: string, now: Date) => db.execute(upsertAddress(userId, address, now)),
    deleteBefore: async (before: Date) =>
      db
        .table('sign_in_addresses', 'delete_sign_in_addresses_before')
        .where('last_signed_in_at', '<=', before)
        .delete(),
    deleteOfUser: async (user_id: number) =>
      db.table('sign_in_addresses', 'delete_sign_in_addresses_of_user').where({ user_id }).delete(),
  };
}
