import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  cancelPartitioning,
  PartitioningError,
  partitionSessions,
} from '../../src/db/partitioning/partition-sessions.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let db: TestDatabase;
beforeEach(async () => {
  db = await createTestDatabase();
  await db.sql.query(`
    WITH owner AS (
      INSERT INTO users (username, display_name, email, password_hash, role)
      VALUES ('lin', 'Lin', 'lin@example.org', '', 'user') RETURNING id),
    project AS (INSERT INTO projects (user_id, name) SELECT id, 'Algebra' FROM owner RETURNING id, user_id)
    INSERT INTO study_sessions (project_id, user_id, owner_id, started_at, ended_at, source, time_zone)
    SELECT id, user_id, user_id, day, day + interval '1 hour', 'manual', 'UTC'
    FROM project, generate_series(timestamptz '2026-01-01', '2026-01-10', interval '1 day') AS day`);
});
afterEach(() => db.drop());

const logged: string[] = [];
const partition = async (options: { parts?: number; log?: (line: string) => void } = {}) => {
  logged.length = 0;
  await partitionSessions(db.database.knex, { chunk: 3, log: (line) => void logged.push(line), ...options });
};
const interrupted = new Error('interrupted');
const interruptedAt = (pattern: RegExp) => (line: string) => {
  if (pattern.test(line)) throw interrupted;
};

test('the output shows the progress', async () => {
  await partition({ parts: 4 });
  expect(logged).toEqual([
    'created 4 partitions; from now on writes go to both tables',
    expect.stringMatching(/^30 % copied, up to record \d+$/),
    expect.stringMatching(/^60 % copied/),
    expect.stringMatching(/^90 % copied/),
    expect.stringMatching(/^100 % copied/),
    'comparing both tables',
    'study_sessions is partitioned.',
  ]);
  await partition({ parts: 4 });
  expect(logged).toEqual(['study_sessions is already partitioned.']);
});

test('an unfinished copy continues with its number of partitions; another number is an error', async () => {
  await expect(partition({ parts: 4, log: interruptedAt(/^60 %/) })).rejects.toBe(interrupted);
  await expect(partition({ parts: 8 })).rejects.toThrow(
    new PartitioningError(
      'An unfinished copy has 4 partitions, not 8. Continue it without --parts, or remove it with --cancel.',
    ),
  );
  await partition();
  expect(logged.slice(0, 2)).toEqual([
    'continuing an unfinished copy with 4 partitions',
    expect.stringMatching(/^90 % copied/),
  ]);
});

test('cancelling removes the copy, and the next one may have another number of partitions', async () => {
  await expect(partition({ parts: 4, log: interruptedAt(/^60 %/) })).rejects.toBe(interrupted);
  await cancelPartitioning(db.database.knex);
  expect(await db.sql.query(`SELECT relname FROM pg_class WHERE relname ~ '^study_sessions_p(\\d|artition)'`)).toEqual(
    [],
  );
  await partition({ parts: 2 });
  expect(logged[0]).toMatch(/^created 2 partitions/);
});

test('continuously overlapping transactions do not prevent the table locks', async () => {
  let working = true;
  // Locks the user first and the records later, as a write does. At any moment one of them holds the first lock only.
  const request = async () => {
    const client = new pg.Client(db.url);
    await client.connect();
    while (working) {
      await client.query('BEGIN; UPDATE users SET username = username WHERE false; SELECT pg_sleep(0.1)');
      await client.query('UPDATE study_sessions SET note = note WHERE false; COMMIT');
    }
    await client.end();
  };
  const requests = Promise.all(Array.from({ length: 8 }, request));
  try {
    await partition({ parts: 2 });
  } finally {
    working = false;
    await requests;
  }
  expect(logged.at(-1)).toBe('study_sessions is partitioned.');
});
