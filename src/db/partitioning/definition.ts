import type { Knex } from 'knex';

/** The parts of study_sessions that `LIKE` does not copy to a partitioned table. */
export type Definition = {
  columns: string[];
  foreignKeys: Named[];
  /** Created on each partition: partitioned tables have exclusion constraints since PostgreSQL 17 only. */
  exclusions: Named[];
  indexes: (Named & { unique: boolean })[];
};
type Named = { name: string; definition: string };

export async function readDefinition(trx: Knex.Transaction): Promise<Definition> {
  const table = `'study_sessions'::regclass`;
  const constraints = async (kind: string): Promise<Named[]> =>
    rows(
      trx,
      `SELECT conname AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
       WHERE conrelid = ${table} AND contype = '${kind}' ORDER BY conname`,
    );
  const columns = await rows<{ name: string }>(
    trx,
    `SELECT quote_ident(attname) AS name FROM pg_attribute
     WHERE attrelid = ${table} AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`,
  );
  return {
    columns: columns.map(({ name }) => name),
    foreignKeys: await constraints('f'),
    exclusions: await constraints('x'),
    indexes: await rows(
      trx,
      `SELECT i.relname AS name, x.indisunique AS unique,
         substring(pg_get_indexdef(x.indexrelid) FROM ' (USING .*)$') AS definition
       FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
       WHERE x.indrelid = ${table} AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = x.indexrelid)
       ORDER BY i.relname`,
    ),
  };
}

export async function rows<Row>(knex: Knex, text: string): Promise<Row[]> {
  return ((await knex.raw(text.replaceAll('?', '\\?'))) as { rows: Row[] }).rows;
}
