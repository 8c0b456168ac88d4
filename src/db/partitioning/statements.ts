import type { Definition } from './definition.ts';

/** The partitioned table's name until it replaces study_sessions. */
export const draft = 'study_sessions_partitioned';
export const progress = 'study_sessions_partitioning';
export const copyTrigger = 'study_sessions_copy';

/** Less than `deadlock_timeout` (1 s): in a deadlock with a request, this gives up first. */
export const lockTimeout = '500ms';

const partitionName = (part: number): string => `study_sessions_p${String(part).padStart(3, '0')}`;
const ownName = (name: string, table: string): string => name.replace('study_sessions', table);

/**
 * Takes all locks at once and in the order of requests, so that running requests can finish and later ones wait without holding
 * locks. First, a weaker lock makes PostgreSQL cancel an autovacuum after `deadlock_timeout`; requests do not wait for it.
 */
export function lockStatements(mode: 'SHARE ROW EXCLUSIVE' | 'ACCESS EXCLUSIVE'): string[] {
  const tables = 'users, projects, study_sessions';
  return [
    `SET LOCAL lock_timeout = '5s'`,
    `LOCK TABLE ${tables} IN SHARE UPDATE EXCLUSIVE MODE`,
    `SET LOCAL lock_timeout = '${lockTimeout}'`,
    `LOCK TABLE ${tables} IN ${mode} MODE`,
  ];
}

/** Creates the empty partitioned table and the trigger that copies every write. The parent's indexes attach the partitions' ones. */
export function createStatements({ columns, foreignKeys, exclusions, indexes }: Definition, parts: number): string[] {
  const index = (table: string, { name, unique, definition }: Definition['indexes'][number]): string =>
    `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${ownName(name, table)} ON ${table} ${definition}`;
  const partitions = Array.from({ length: parts }, (_, part) => partitionName(part));
  const copied = [...indexes, { name: 'study_sessions_id_idx', unique: false, definition: 'USING btree (id)' }];
  const list = columns.join(', ');
  return [
    ...lockStatements('SHARE ROW EXCLUSIVE'),
    `CREATE TABLE ${draft} (LIKE study_sessions INCLUDING DEFAULTS INCLUDING GENERATED INCLUDING CONSTRAINTS)
     PARTITION BY HASH (user_id)`,
    `ALTER TABLE ${draft} ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY`,
    ...partitions.flatMap((table, part) => [
      `CREATE TABLE ${table} PARTITION OF ${draft} FOR VALUES WITH (MODULUS ${parts}, REMAINDER ${part})`,
      ...exclusions.map(
        ({ name, definition }) => `ALTER TABLE ${table} ADD CONSTRAINT ${ownName(name, table)} ${definition}`,
      ),
      ...copied.map((given) => index(table, given)),
    ]),
    `ALTER TABLE ${draft} ADD CONSTRAINT ${draft}_pkey PRIMARY KEY (user_id, id)`,
    ...copied.map((given) => index(draft, given)),
    ...foreignKeys.map(({ name, definition }) => `ALTER TABLE ${draft} ADD CONSTRAINT ${name} ${definition}`),
    `CREATE TABLE ${progress} (copied_up_to bigint NOT NULL)`,
    `INSERT INTO ${progress} VALUES (0)`,
    `CREATE FUNCTION ${copyTrigger}() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF TG_OP <> 'INSERT' THEN
         DELETE FROM ${draft} WHERE user_id = OLD.user_id AND id = OLD.id;
       END IF;
       IF TG_OP <> 'DELETE' THEN
         INSERT INTO ${draft} (${list}) OVERRIDING SYSTEM VALUE
         VALUES (${columns.map((column) => `NEW.${column}`).join(', ')});
       END IF;
       RETURN NULL;
     END $$`,
    `CREATE TRIGGER ${copyTrigger} AFTER INSERT OR UPDATE OR DELETE ON study_sessions
     FOR EACH ROW EXECUTE FUNCTION ${copyTrigger}()`,
  ];
}

/** Copies the next records by id. Locks them: a record must not be copied after the trigger has deleted it. */
export function copyStatement(columns: readonly string[], chunk: number): string {
  const list = columns.join(', ');
  return `
    WITH next AS MATERIALIZED (
      SELECT ${list} FROM study_sessions WHERE id > (SELECT copied_up_to FROM ${progress})
      ORDER BY id LIMIT ${chunk} FOR SHARE),
    copied AS (
      INSERT INTO ${draft} (${list}) OVERRIDING SYSTEM VALUE SELECT ${list} FROM next
      ON CONFLICT (user_id, id) DO NOTHING)
    UPDATE ${progress} SET copied_up_to = (SELECT max(id) FROM next) WHERE EXISTS (SELECT FROM next)
    RETURNING copied_up_to`;
}

export const compareStatement = `
  SELECT (SELECT ROW(count(*), sum(id), sum(duration_seconds), sum(row_version)) FROM study_sessions)
       = (SELECT ROW(count(*), sum(id), sum(duration_seconds), sum(row_version)) FROM ${draft}) AS equal`;

/** CASCADE drops the functions that take a row of the table; all files of db/functions are applied afterwards. */
export function replaceStatements({ indexes }: Definition): string[] {
  const renamed = [...indexes.map(({ name }) => name), 'study_sessions_id_idx', 'study_sessions_pkey'];
  return [
    ...lockStatements('ACCESS EXCLUSIVE'),
    `SELECT setval('${draft}_id_seq', last_value, is_called) FROM study_sessions_id_seq`,
    'DROP TABLE study_sessions CASCADE',
    `DROP FUNCTION ${copyTrigger}()`,
    `DROP TABLE ${progress}`,
    `ALTER TABLE ${draft} RENAME TO study_sessions`,
    `ALTER SEQUENCE ${draft}_id_seq RENAME TO study_sessions_id_seq`,
    ...renamed.map((name) => `ALTER INDEX ${ownName(name, draft)} RENAME TO ${name}`),
  ];
}

export const cancelStatements = [
  ...lockStatements('ACCESS EXCLUSIVE'),
  `DROP TRIGGER IF EXISTS ${copyTrigger} ON study_sessions`,
  `DROP FUNCTION IF EXISTS ${copyTrigger}()`,
  `DROP TABLE IF EXISTS ${draft}, ${progress}`,
];
