import { randomBytes } from 'node:crypto';
import { type Client, fileForm, type Message, post, put, type Sender } from './client.ts';
import type { Person, World } from './people.ts';

export type Context = { client: Client; world: World; people: readonly Person[]; me: Person };
type Options = {
  /** Number of the attacker's users, each with their own address. */
  people: number;
  /** Number of requests at once. */
  clients: number;
  prepare?: (context: Context) => Promise<unknown>;
  /** A request that must succeed meanwhile, sent once a second. */
  probe?: (world: World, first: Person | undefined) => Sent;
};
type Sent = Message & { from?: Sender };
export type Attack = Options & { name: string; request: (context: Context, n: number) => Sent };

/** `request`: the n-th request; the sender is the attacker's user of this client unless named. */
const attack = (name: string, options: Options, request: Attack['request']): Attack => ({ name, ...options, request });
const zones = Intl.supportedValuesOf('timeZone').filter((zone) => zone.includes('/'));
const zone = (n: number) => zones[n % zones.length] ?? 'UTC';
const anyAddress = () => ({ address: `10.200.${[...randomBytes(2)].join('.')}` });

type File = { rows: number; from: string; stepHours: number };
/** An import of records of at most an hour. */
function imported({ project }: Person, { rows, from, stepHours }: File): Message {
  const time = (hours: number) => new Date(Date.parse(from) + hours * 3_600_000).toISOString();
  const length = Math.min(1, stepHours / 2);
  const lineOf = (hours: number) => `${project},${time(hours)},${time(hours + length)}\n`;
  const lines = Array.from({ length: rows }, (_, n) => lineOf(n * stepHours));
  const file = `project_id,started_at,ended_at\n${lines.join('')}`;
  return fileForm('/api/sessions/import', 'file', file, { dry_run: 'false' });
}
/** In files that are imported within the client's timeout on a loaded machine. */
const rowsPerFile = 5_000;
const fill =
  ({ rows, from, ...file }: File) =>
  async ({ client, people }: Context) => {
    for (const person of people)
      for (let row = 0; row < rows; row += rowsPerFile) {
        const start = new Date(Date.parse(from) + row * file.stepHours * 3_600_000).toISOString();
        await client.data(person, imported(person, { ...file, from: start, rows: Math.min(rowsPerFile, rows - row) }));
      }
  };

const columns = (number: number) => Array.from({ length: number }, (_, n) => `c${n}`).join(',');
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

export const attacks: readonly Attack[] = [
  attack(
    'two users with 45,000 records change their zone',
    {
      ...{ people: 2, clients: 16, prepare: fill({ rows: 45_000, from: '2005-01-01', stepHours: 4 }) },
      // Revoking the attacker's rights does not wait for the attacker.
      probe: ({ admin }, me) => ({ ...put(`/api/admin/users/${me?.id}`, { status: 'active' }), from: admin }),
    },
    (_, n) => put('/api/auth/me', { timezone: zone(n) }),
  ),
  attack('imports that are costly to parse', { people: 1, clients: 6 }, (_, n) => {
    const head = ['project_id,started_at,ended_at', `project_id,started_at,ended_at,${columns(1000)}`, columns(15_000)];
    return fileForm('/api/sessions/import', 'file', `${head[n % 3]}\n${'1\n'.repeat(n % 3 === 0 ? 500_000 : 4000)}`);
  }),
  attack(
    'overdue timers and overlapping records',
    {
      ...{ people: 2, clients: 8 },
      prepare: ({ client, people }) =>
        Promise.all(
          people.map((me) =>
            client.data(me, post('/api/timer/start', { project_id: me.project, started_at: hoursAgo(13) })),
          ),
        ),
    },
    ({ me }) => post(`/api/projects/${me.project}/sessions`, { started_at: hoursAgo(12.5), duration_seconds: 600 }),
  ),
  attack('a mail with every request', { people: 2, clients: 4 }, () => post('/api/me/calendar', {})),
  attack(
    'wrong sign-ins and guessed links from many addresses',
    {
      ...{ people: 1, clients: 32 },
      probe: (_, me) => ({
        ...post('/api/auth/login', { username: me?.username, password: me?.password }),
        from: { address: me?.address ?? '' },
      }),
    },
    ({ me }, n) => {
      const guess = post('/api/auth/accept', {
        token: randomBytes(32).toString('base64url'),
        password: 'not a password',
      });
      const login = post('/api/auth/login', { username: me.username, password: 'not the password' });
      return { ...(n % 2 === 0 ? login : guess), from: anyAddress() };
    },
  ),
  attack(
    'a flood from one address',
    { people: 0, clients: 24, probe: () => ({ path: '/readyz', from: { address: '10.80.0.1' } }) },
    (_, n) => ({
      path: ['/api/projects', '/api/nothing/here', '/docs', '/uploads/projects/none.webp'][n % 4] ?? '/',
      headers: { authorization: 'Bearer e30.e30.e30' },
      from: { address: '10.80.0.1' },
    }),
  ),
  attack(
    'statistics and synchronization of 20,000 records, 50 at a time',
    { people: 1, clients: 50, prepare: fill({ rows: 20_000, from: '2012-01-01', stepHours: 1.5 }) },
    (_, n) => ({ path: n % 2 === 0 ? `/api/stats?tz=${zone(n)}` : '/api/sync?limit=500' }),
  ),
];
