import { type Executor, sql } from '../../db/database.ts';

const upsertAddress = sql(`
  INSERT INTO sign_in_addresses (user_id, address, last_signed_in_at) VALUES ($1, $2, $3)
  ON CONFLICT ON CONSTRAINT sign_in_addresses_pkey DO UPDATE
    SET last_signed_in_at = greatest(sign_in_addresses.last_signed_in_at, excluded.last_signed_in_at)`);
const deleteBefore = sql('DELETE FROM sign_in_addresses WHERE last_signed_in_at <= $1');
const deleteOfUser = sql('DELETE FROM sign_in_addresses WHERE user_id = $1');

/** The addresses that accounts signed in from. */
export function createSignInAddressRepository(db: Executor) {
  return {
    async upsert(userId: number, address: string, now: Date): Promise<void> {
      await db.rows(upsertAddress, [userId, address, now]);
    },
    async deleteBefore(moment: Date): Promise<void> {
      await db.rows(deleteBefore, [moment]);
    },
    async deleteOfUser(userId: number): Promise<void> {
      await db.rows(deleteOfUser, [userId]);
    },
  };
}
