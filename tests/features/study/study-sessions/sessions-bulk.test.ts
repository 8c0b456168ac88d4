import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSessionListReadModel } from '../../../../src/features/study/study-sessions/list/session-list-read-model.ts';
import type { SessionPageQuery } from '../../../../src/features/study/study-sessions/session-schemas.ts';
import { explain, nodesOf, type PlanNode } from '../../../support/plans.ts';
import { actorOf, addRecords, assign, createProject } from '../../../support/records.ts';
import { startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void; // the only way to access it

let app: TestApp;
let owner: TestUser;
let busy: TestUser;
let admin: TestUser;
let projectId: number;
let smallId: number;

beforeAll(async () => {
  app = await startTestApp();
  owner = await app.createUser();
  busy = await app.createUser();
  admin = await app.createUser({ role: 'admin' });
  // The constraint against overlaps and the note indexes are irrelevant here, but would take most of the time.
  await app.query('ALTER TABLE study_sessions DROP CONSTRAINT study_sessions_no_overlap');
  await app.query('DROP INDEX study_sessions_note_pairs_idx, study_sessions_note_characters_idx');
  projectId = await createProject(app, owner);
  await assign(app, projectId, busy);
  await addRecords(app, projectId, busy, 100_000);
  smallId = await createProject(app, owner, 'Small');
  await addRecords(app, smallId, owner, 200);
  for (let others = 0; others < 3; others += 1) {
    const other = await app.createUser();
    await addRecords(app, await createProject(app, other), other, 20_000);
  }
});
afterAll(() => app.stop());

/** Memory in use after a garbage collection. */
function liveBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

test.each(['csv', 'json'])('100,000 records are exported as %s in constant memory', async (format) => {
  const response = await fetch(`${app.origin}/api/sessions/export?format=${format}`, {
    headers: { Authorization: `Bearer ${busy.token}` },
  });
  const before = liveBytes();
  const samples: number[] = [];
  let [bytes, records, nextSample] = [0, 0, 0];
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    records += Buffer.from(chunk).toString('latin1').split('Asia/Shanghai').length - 1;
    if (bytes < nextSample) continue;
    nextSample += 1_000_000;
    samples.push(liveBytes() - before);
  }
  expect(bytes).toBeGreaterThan(15_000_000);
  expect(records).toBeGreaterThan(99_900); // a chunk may split the counted word
  // Half of the rows, if they were retained, would need at least the 7.5 MB of their text.
  const half = samples.length >> 1;
  expect(median(samples.slice(half)) - median(samples.slice(0, half))).toBeLessThan(6_000_000);
  expect(median(samples)).toBeLessThan(16_000_000);
});

test('a dry run of 30,000 rows uses constant memory', async () => {
  const start = Date.UTC(2010, 0, 1);
  const row = (_: unknown, index: number) => {
    const startedAt = new Date(start + index * 3_600_000).toISOString();
    return `${projectId},${startedAt},${startedAt.replace(':00:00', ':30:00')},note ${index}`;
  };
  const file = Buffer.from(`project_id,started_at,ended_at,note\n${Array.from({ length: 30_000 }, row).join('\n')}\n`);
  const samples: number[] = [];
  // Collecting takes at most a fifth of the time: with the memory of earlier files in this process it takes long.
  const end = new AbortController();
  const sampling = (async () => {
    for (let pause = 300; !end.signal.aborted; ) {
      await delay(pause, undefined, { signal: end.signal }).catch(() => undefined);
      const before = performance.now();
      samples.push(liveBytes());
      pause = Math.max(300, 4 * (performance.now() - before));
    }
  })();
  const response = await app.as(busy).post('/api/sessions/import').attach('file', file, 'records.csv').expect(200);
  end.abort();
  await sampling;
  expect(response.body.data).toMatchObject({ rows: 30_000, valid: 30_000 });
  expect(samples.length).toBeGreaterThan(3);
  // The test client holds the file, twice while sending; all parsed rows would be far more.
  expect(Math.max(...samples) - Math.min(...samples)).toBeLessThan(file.length * 2 + 8_000_000);
});

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0;
}

/** The plan nodes that select the records of a page, without the count of the total. */
async function planOf(reader: TestUser, filter: Partial<SessionPageQuery>): Promise<PlanNode[]> {
  const query: SessionPageQuery = {
    page: 1,
    tag: '',
    limit: 10,
    order: 'desc',
    from: undefined,
    to: undefined,
    user_id: undefined,
    username: '',
    project_id: undefined,
    search: '',
    ...filter,
  };
  const { pool, close } = app.database;
  const nodes = await explain(app.database, (db) =>
    createSessionListReadModel({ ...db, pool, close }).read(actorOf(reader), query, new Date()),
  );
  return nodes.filter((node) => node['Subplan Name'] === 'CTE page').flatMap(nodesOf);
}

test.each([
  ['own records', () => busy, () => ({}), ['study_sessions_user_idx']],
  ['own records, oldest first', () => busy, () => ({ order: 'asc' }), ['study_sessions_user_idx']],
  [
    'own records of a month',
    () => busy,
    () => ({ from: new Date('2020-03-01'), to: new Date('2020-04-01') }),
    ['study_sessions_user_idx'],
  ],
  [
    'own records and those of others on own projects',
    () => owner,
    () => ({}),
    ['study_sessions_user_idx', 'study_sessions_owner_idx'],
  ],
  ['own records on a project', () => busy, () => ({ project_id: projectId }), ['study_sessions_user_idx']],
  ['anybody’s records', () => admin, () => ({}), ['study_sessions_recent_idx']],
  ['one user’s records', () => admin, () => ({ user_id: busy.id }), ['study_sessions_user_idx']],
  ['one project’s records', () => admin, () => ({ project_id: smallId }), ['study_sessions_project_list_idx']],
] as const)('a page of %s among 100,000 uses indexes', async (_name, reader, filter, indexes) => {
  const nodes = await planOf(reader(), filter());
  expect(nodes.map((node) => node['Node Type'])).not.toContain('Seq Scan');
  expect(nodes.map((node) => node['Index Name'])).toEqual(expect.arrayContaining([...indexes]));
  expect(Math.max(...nodes.map((node) => node['Actual Rows']))).toBeLessThanOrEqual(20);
});
