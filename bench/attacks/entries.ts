import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { gifOf } from '../../tests/support/pictures.ts';
import { type Attack, attack, type Context } from './attack.ts';
import { fileForm, type Message, post, put } from './client.ts';
import { growingTables } from './growing-tables.ts';
import type { Person } from './people.ts';
import { thirdParties } from './third-parties.ts';

const zones = Intl.supportedValuesOf('timeZone').filter((zone) => zone.includes('/'));
const zone = (n: number) => zones[n % zones.length] ?? 'UTC';
const anyAddress = () => ({ address: `10.200.${[...randomBytes(2)].join('.')}` });

type File = { rows: number; from: string; stepHours: number; note?: string; project?: number };
/** An import of records of at most an hour. */
function imported(me: Person, { rows, from, stepHours, note = '', project = me.project }: File): Message {
  const time = (hours: number) => new Date(Date.parse(from) + hours * 3_600_000).toISOString();
  const length = Math.min(1, stepHours / 2);
  const lineOf = (hours: number) => `${project},${time(hours)},${time(hours + length)},${note}\n`;
  const lines = Array.from({ length: rows }, (_, n) => lineOf(n * stepHours));
  const file = `project_id,started_at,ended_at,note\n${lines.join('')}`;
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

/** Filters make rows with a long period small; recompressed without filters the image is large. */
async function growing(side: number): Promise<Buffer> {
  const raw = { width: side, height: side, channels: 3 } as const;
  const pixels = Buffer.from(Uint8Array.from({ length: side * side * 3 }, (_, n) => ((n % 3001) * 7919) % 251));
  return await sharp(pixels, { raw }).png({ compressionLevel: 9, adaptiveFiltering: true }).toBuffer();
}
let images: Buffer[] = [];
let calendar = '';

const columns = (number: number) => Array.from({ length: number }, (_, n) => `c${n}`).join(',');

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
  attack(
    'small imports after a large one',
    { people: 2, clients: 4, prepare: fill({ rows: 2000, from: '2005-01-01', stepHours: 4 }) },
    ({ me }, n) => {
      const from = new Date(Date.UTC(2007, 0, 1) + n * 600 * 3_600_000).toISOString();
      return imported(me, { rows: 500, from, stepHours: 1 });
    },
  ),
  attack(
    'imports of weekly records with six days of rest',
    {
      ...{ people: 2, clients: 4 },
      prepare: ({ client, people }) =>
        Promise.all(people.map((me) => client.data(me, put('/api/auth/me', { rest_weekdays: [1, 2, 3, 4, 5, 6] })))),
    },
    ({ me, world }) => imported(me, { rows: 900, from: '2000-01-02', stepHours: 168, project: world.shared }),
  ),
  attack(
    'readers of a calendar of 2,000 long records',
    {
      ...{ people: 1, clients: 8 },
      prepare: async (context) => {
        await fill({ rows: 2000, from: '2026-01-01', stepHours: 3, note: `"${','.repeat(500)}"` })(context);
        const created = await context.client.data<{ secret_url: string }>(context.me, post('/api/me/calendar', {}));
        calendar = new URL(created.secret_url).search;
      },
    },
    (_, n) => ({ path: `/api/calendar.ics${calendar}`, from: { address: `10.90.0.${n % 4}` } }),
  ),
  attack(
    'images that grow, and of many frames, 10 users',
    {
      ...{ people: 10, clients: 20 },
      prepare: async () => {
        images = [await growing(3000), gifOf(1000, 200, 200)];
      },
    },
    ({ me }, n) => fileForm(`/api/projects/${me.project}/image`, 'image', images[n % 2] ?? ''),
  ),
  attack('imports that are costly to parse', { people: 1, clients: 6 }, (_, n) => {
    const head = ['project_id,started_at,ended_at', `project_id,started_at,ended_at,${columns(1000)}`, columns(15_000)];
    return fileForm('/api/sessions/import', 'file', `${head[n % 3]}\n${'1\n'.repeat(n % 3 === 0 ? 500_000 : 4000)}`);
  }),
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
    'statistics and synchronization of 20,000 records, 50 at a time',
    { people: 1, clients: 50, prepare: fill({ rows: 20_000, from: '2012-01-01', stepHours: 1.5 }) },
    (_, n) => ({ path: n % 2 === 0 ? `/api/stats?tz=${zone(n)}` : '/api/sync?limit=500' }),
  ),
  ...growingTables,
  ...thirdParties,
];
