import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { translate } from '../../src/messages/index.ts';
import { expectInvariants } from './invariants.ts';
import type { Load } from './load.ts';
import type { Postgres } from './servers/own-postgres.ts';

const tryAgain = translate({ key: 'service_unavailable' }, 'en');
const refusal = { success: false, message: tryAgain, error: { code: 'SERVICE_UNAVAILABLE', message: tryAgain } };

/** The one answer a caller may get from a service whose database is away: that, when to come back, and nothing else. */
export const unavailable = JSON.stringify([503, 5, refusal]);

/** The different answers that were no success; a connection that broke is one of them. */
export function refusals({ tries }: Load): string[] {
  const refused = tries.filter(({ status }) => status !== 200 && status !== 201);
  return [
    ...new Set(
      refused.map(({ status, wait, text }) =>
        status === undefined ? 'cut' : JSON.stringify([status, wait, text.startsWith('{') ? JSON.parse(text) : text]),
      ),
    ),
  ].sort();
}

/** Milliseconds that any response may take. */
export const patience = 15_000;
/** Milliseconds after which all works again without a restart. */
export const longestRecovery = 30_000;

/** Milliseconds that the slowest answer took. */
export function slowest({ tries }: Load): number {
  return tries.reduce((longest, { took }) => Math.max(longest, took), 0);
}

/** How many writes were answered well. */
export function acknowledgedWrites({ acknowledged: { projects, records, lists, images } }: Load): number {
  return projects.length + records.length + lists.length + images;
}

/** Every acknowledged write is in the database, once, and nothing that nobody wrote; nobody saw a state before his write. */
export async function expectNothingLost(
  { acknowledged, batch, students, stale }: Load,
  database: Pick<Postgres, 'query'>,
) {
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
  const there = new Set(names);
  const asked = new Set(acknowledged);
  const seen = new Set<string>();
  const isRepeated = (name: string) => seen.size === seen.add(name).size;
  return {
    missing: acknowledged.filter((name) => !there.has(name)),
    unknown: names.filter((name) => !asked.has(name)),
    twice: names.filter(isRepeated),
  };
}

function assignedLists(batch: readonly number[]): string {
  return `
    SELECT DISTINCT coalesce(a.list, '{}')::int[] AS list FROM unnest('{${batch.join()}}'::bigint[]) AS p (id)
    LEFT JOIN LATERAL (
      SELECT array_agg(user_id ORDER BY position) AS list FROM project_assignments WHERE project_id = p.id) AS a ON true`;
}

/** Looks all the time whether a batch is half done, and answers how often it looked and what it saw. */
export function watchBatches({ batch }: Load, database: Pick<Postgres, 'query'>) {
  const seen = { looks: 0, halves: 0 };
  let watching = true;
  const ended = (async () => {
    for (; watching; await delay(20)) {
      const lists = await database.query(assignedLists(batch)).catch(() => undefined); // it may be down
      if (lists === undefined) continue;
      seen.looks += 1;
      if (lists.length !== 1) seen.halves += 1;
    }
  })();
  return async () => {
    watching = false;
    await ended;
    return seen;
  };
}
