import { type Attack, type AttackContext, firstUser, inParallel } from './attack.ts';
import { importOf, recordsFile } from './files.ts';
import type { Person } from './people.ts';

const randomText = () => Math.random().toString(36).slice(2);

/** Records with notes of maximum length, so that an unread response does not fit into the socket buffers. */
async function fillWithNotes({ send }: AttackContext, people: readonly Person[], rows: number): Promise<void> {
  for (const person of people) {
    const file = recordsFile({
      project: person.project,
      rows,
      from: new Date('2012-01-01Z'),
      stepSeconds: 5400,
      note: '学'.repeat(500),
    });
    await expectSuccess(send(person, importOf(file)));
  }
}

async function expectSuccess(status: Promise<number | string>): Promise<void> {
  const result = await status;
  if (result !== 200) throw new Error(`the import that prepares an attack failed: ${result}`);
}

const unreadExports: Attack = {
  name: 'exports that are not read, 10 users',
  people: 10,
  prepare: (context) => fillWithNotes(context, context.people, 2000),
  run: ({ people, hold }) =>
    inParallel(30, (client) =>
      hold(people[client % people.length] ?? firstUser(people), { path: '/api/sessions/export?format=csv' }),
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
  run: ({ people, send }) => inParallel(16, () => send(firstUser(people), { path: `/api/projects?x=${randomText()}` })),
};

/** Records for the attacker's first user. */
async function fillWithRecords({ people, send }: AttackContext): Promise<void> {
  const { project } = firstUser(people);
  const file = recordsFile({ project, rows: 20_000, from: new Date('2012-01-01Z'), stepSeconds: 5400 });
  await expectSuccess(send(firstUser(people), importOf(file)));
}

const zones = Intl.supportedValuesOf('timeZone');

const costlyStatistics: Attack = {
  name: 'statistics of 20,000 records, 50 at a time',
  people: 1,
  prepare: fillWithRecords,
  run: ({ people, send }) => {
    let n = 0;
    return inParallel(50, () => {
      n += 1;
      return send(firstUser(people), {
        path: `/api/stats?tz=${encodeURIComponent(zones[n % zones.length] ?? 'UTC')}`,
      });
    });
  },
};

const slowReaders: Attack = {
  name: '60 slow readers of lists',
  people: 1,
  prepare: (context) => fillWithNotes(context, context.people, 200),
  run: ({ people, hold }) =>
    inParallel(60, () => hold(firstUser(people), { path: `/api/sessions?limit=100&x=${randomText()}` })),
};

const synchronizations: Attack = {
  name: 'synchronization of 20,000 records, 50 at a time',
  people: 1,
  prepare: fillWithRecords,
  run: ({ people, send }) => inParallel(50, () => send(firstUser(people), { path: '/api/sync?limit=500' })),
};

const unreadEvents: Attack = {
  name: 'event streams that are not read, 10 users',
  people: 10,
  run: ({ people, hold }) =>
    inParallel(100, (client) => hold(people[client % people.length] ?? firstUser(people), { path: '/api/events' })),
};

const archives: Attack = {
  name: 'personal archives, 10 users, not read',
  people: 10,
  prepare: (context) => fillWithNotes(context, context.people, 2000),
  run: ({ people, send, hold }) =>
    inParallel(30, async (client) => {
      const person = people[client % people.length] ?? firstUser(people);
      const status = await send(person, { method: 'POST', path: '/api/me/export' });
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
