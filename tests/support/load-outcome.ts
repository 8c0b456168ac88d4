import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { translate } from '../../src/texts/index.ts';
import { expectInvariants } from './invariants.ts';
import type { Load } from './load.ts';
import type { Postgres } from './servers/own-postgres.ts';

const tryAgain = translate({ key: 'service_unavailable' }, 'en');
const body = { success: false, message: tryAgain, error: { code: 'SERVICE_UNAVAILABLE', message: tryAgain } };

/** The only error response of a service whose database is unavailable: status, Retry-After and body. */
export const unavailable = JSON.stringify([503, 5, body]);

/** The distinct error responses; a closed connection is one of them. */
export function failures({ attempts }: Load): string[] {
  const failed = attempts.filter(({ status }) => status !== 200 && status !== 201);
  return [
    ...new Set(
      failed.map(({ status, wait, text }) =>
        status === undefined ? 'cut' : JSON.stringify([status, wait, text.startsWith('{') ? JSON.parse(text) : text]),
      ),
    ),
  ].sort();
}

/** The longest time in milliseconds that a response may take. */
export const responseTimeout = 15_000;
/** The longest time in milliseconds until everything works again without a restart. */
export const longestRecovery = 30_000;

/** The time of the slowest response in milliseconds. */
export function slowest({ attempts }: Load): number {
  return attempts.reduce((longest, { took }) => Math.max(longest, took), 0);
}

/** The number of acknowledged writes. */
export function acknowledgedWrites({ acknowledged: { projects, records, lists, images } }: Load): number {
  return projects.length + records.length + lists.length + images;
}

/** Every acknowledged write is in the database exactly once, nothing else is, and no read was stale; there are writes of each kind. */
export async function expectNothingLost(
  { acknowledged, batch, students, stale }: Load,
  database: Pick<Postgres, 'query'>,
) {
  for (const writes of [acknowledged.projects, acknowledged.records, acknowledged.lists])
    expect(writes).not.toEqual([]);
  const projects = await database.query<{ what: string }>(
    `SELECT name AS what FROM projects WHERE name <> 'Algebra' AND name NOT LIKE 'Batch %'
     AND user_id IN (${students.map(({ id }) => id).join()})`,
  );
  expect(difference(acknowledged.projects, projects)).toEqual(none);
  const records = await database.query<{ what: string }>('SELECT note AS what FROM study_sessions');
  expect(difference(acknowledged.records, records)).toEqual(none);
  const lists = await database.query<{ list: number[] }>(assignedLists(batch));
  expect(lists).toHaveLength(1);
  expect(acknowledged.lists).toContainEqual(lists[0]?.list);
  expect(stale).toEqual([]);
  await expectInvariants(database);
}

const none = { missing: [], unknown: [], twice: [] };

function difference(acknowledged: readonly string[], found: readonly { what: string }[]) {
  const names = found.map(({ what }) => what);
  const stored = new Set(names);
  const expected = new Set(acknowledged);
  const seen = new Set<string>();
  const isRepeated = (name: string) => seen.size === seen.add(name).size;
  return {
    missing: acknowledged.filter((name) => !stored.has(name)),
    unknown: names.filter((name) => !expected.has(name)),
    twice: names.filter(isRepeated),
  };
}

function assignedLists(batch: readonly number[]): string {
  return `
    SELECT DISTINCT coalesce(a.list, '{}')::int[] AS list FROM unnest('{${batch.join()}}'::bigint[]) AS p (id)
    LEFT JOIN LATERAL (
      SELECT array_agg(user_id ORDER BY position) AS list FROM project_assignments WHERE project_id = p.id) AS a ON true`;
}

/** Polls for partially applied batches; returns the number of polls and how many found one. */
export function watchBatches({ batch }: Load, database: Pick<Postgres, 'query'>) {
  const result = { polls: 0, partial: 0 };
  let watching = true;
  const ended = (async () => {
    for (; watching; await delay(20)) {
      const lists = await database.query(assignedLists(batch)).catch(() => undefined); // it may be down
      if (lists === undefined) continue;
      result.polls += 1;
      if (lists.length !== 1) result.partial += 1;
    }
  })();
  return async () => {
    watching = false;
    await ended;
    return result;
  };
}
