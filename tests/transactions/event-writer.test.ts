import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { sql } from '../../src/db/sql/sql.ts';
import { createEventWriter, type Projection, type RecordedEvent } from '../../src/transactions/event-writer.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let own: TestDatabase;
beforeAll(async () => {
  own = await createTestDatabase();
});
afterAll(() => own.drop());

const unassigned: RecordedEvent = {
  type: 'assignment.changed',
  change: 'removed',
  projects: [{ project_id: 42, owner_id: 5, user_ids: [7] }],
};

test('other work runs between the projections of events, and between their rows and SQL', async () => {
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  const steps: string[] = [];
  /** A step that takes long, during which another request arrives. */
  const step = (name: string) => {
    steps.push(name);
    now += 10;
    setImmediate(() => steps.push('another request'));
  };
  const projection = (name: string): Projection<number> => ({
    rows: () => {
      step(`rows ${name}`);
      return [1];
    },
    insert: () => {
      step(`SQL ${name}`);
      return name === 'a' ? sql`a AS (SELECT 1)` : sql`b AS (SELECT 1)`;
    },
  });
  try {
    await own.database.transaction(async (tx) => {
      createEventWriter(tx, [projection('a'), projection('b')]).record(unassigned);
    });
  } finally {
    clock.mockRestore();
  }
  const expected = ['rows a', 'SQL a', 'rows b', 'SQL b'].flatMap((name) => [name, 'another request']);
  expect(steps).toEqual(expected);
});
