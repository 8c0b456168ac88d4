import { type Attack, firstOf, inParallel, type Scene } from './attack.ts';
import { importOf, recordsFile } from './files.ts';
import type { Person } from './people.ts';

const anyText = () => Math.random().toString(36).slice(2);

/** Records with notes of the greatest length, so that what is not read does not fit into the buffers of a connection. */
async function fillWithNotes({ strike }: Scene, people: readonly Person[], rows: number): Promise<void> {
  for (const person of people) {
    const file = recordsFile({
      project: person.project,
      rows,
      from: new Date('2012-01-01Z'),
      stepSeconds: 5400,
      note: '学'.repeat(500),
    });
    await expectStrike(strike(person, importOf(file)));
  }
}

async function expectStrike(status: Promise<number | string>): Promise<void> {
  const given = await status;
  if (given !== 200) throw new Error(`an import to prepare an attack was answered with ${given}`);
}

const unreadExports: Attack = {
  name: 'exports that are not read, 10 users',
  people: 10,
  prepare: (scene) => fillWithNotes(scene, scene.people, 2000),
  run: ({ people, hold }) =>
    inParallel(30, (client) =>
      hold(people[client % people.length] ?? firstOf(people), { path: '/api/sessions/export?format=csv' }),
    ),
  probe: ({ admin, shared }) => ({
    what: 'export of another',
    sender: admin,
    message: { path: `/api/sessions/export?format=csv&project_id=${shared}` },
  }),
};

const newListKeys: Attack = {
  name: 'lists that fill the cache',
  people: 1,
  run: ({ people, strike }) => inParallel(16, () => strike(firstOf(people), { path: `/api/projects?x=${anyText()}` })),
};

/** Of the first user of the attacker. */
async function fillWithRecords({ people, strike }: Scene): Promise<void> {
  const { project } = firstOf(people);
  const file = recordsFile({ project, rows: 20_000, from: new Date('2012-01-01Z'), stepSeconds: 5400 });
  await expectStrike(strike(firstOf(people), importOf(file)));
}

const zones = Intl.supportedValuesOf('timeZone');

const costlyStatistics: Attack = {
  name: 'statistics of 20,000 records, 50 at a time',
  people: 1,
  prepare: fillWithRecords,
  run: ({ people, strike }) => {
    let n = 0;
    return inParallel(50, () => {
      n += 1;
      return strike(firstOf(people), { path: `/api/stats?tz=${encodeURIComponent(zones[n % zones.length] ?? 'UTC')}` });
    });
  },
};

const slowReaders: Attack = {
  name: '60 slow readers of lists',
  people: 1,
  prepare: (scene) => fillWithNotes(scene, scene.people, 200),
  run: ({ people, hold }) =>
    inParallel(60, () => hold(firstOf(people), { path: `/api/sessions?limit=100&x=${anyText()}` })),
};

const synchronizations: Attack = {
  name: 'synchronization of 20,000 records, 50 at a time',
  people: 1,
  prepare: fillWithRecords,
  run: ({ people, strike }) => inParallel(50, () => strike(firstOf(people), { path: '/api/sync?limit=500' })),
};

const unreadEvents: Attack = {
  name: 'event streams that are not read, 10 users',
  people: 10,
  run: ({ people, hold }) =>
    inParallel(100, (client) => hold(people[client % people.length] ?? firstOf(people), { path: '/api/events' })),
};

const archives: Attack = {
  name: 'personal archives, 10 users, not read',
  people: 10,
  prepare: (scene) => fillWithNotes(scene, scene.people, 2000),
  run: ({ people, strike, hold }) =>
    inParallel(30, async (client) => {
      const person = people[client % people.length] ?? firstOf(people);
      const status = await strike(person, { method: 'POST', path: '/api/me/export' });
      await hold(person, { path: '/api/me/export/file' });
      return status;
    }),
};

export const reading: readonly Attack[] = [
  unreadExports,
  newListKeys,
  costlyStatistics,
  slowReaders,
  synchronizations,
  unreadEvents,
  archives,
];
