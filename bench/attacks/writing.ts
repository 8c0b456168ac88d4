import { gzipSync } from 'node:zlib';
import { gifOf } from '../../tests/support/pictures.ts';
import { type Attack, firstUser, inParallel } from './attack.ts';
import { importOf, recordsFile, smallPicture, uploadOf, webpOf } from './files.ts';
import type { Message, Sender } from './http.ts';

// Unicode normalisation sorts combining marks in quadratic time.
const marks = `a${'\u0301'.repeat(24_000)}${'\u0316'.repeat(24_000)}`;
const contact = { email: 'lin@example.org', subject: 'other', message: 'hello', captcha: 'ABCD', captcha_id: 'none' };

const combiningMarks: Attack = {
  name: 'combining marks, anonymous',
  people: 0,
  run: async ({ send }) => {
    const plain = (path: string, body: object): Message => ({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(body)),
    });
    const messages = [
      plain('/api/auth/login', { username: marks, password: 'x' }),
      plain('/api/auth/login', { username: 'lin', password: marks }),
      plain('/api/contact/submit', { ...contact, name: marks }),
    ];
    const gzipped = messages.map((message) => ({
      ...message,
      headers: { ...message.headers, 'content-encoding': 'gzip' },
      body: gzipSync(message.body as Buffer), // built above
    }));
    const all = [...messages, ...gzipped];
    let n = 0;
    await inParallel(16, () => {
      n += 1;
      return send({ address: '10.70.0.1' }, all[n % all.length] ?? { path: '/' });
    });
  },
};

const names = (number: number) => Array.from({ length: number }, (_, n) => `c${n}`).join(',');

const hostileImports: Attack = {
  name: 'imports that are costly to parse',
  people: 1,
  run: async ({ people, send }) => {
    const messages = [
      importOf(`project_id,started_at,ended_at,${names(1000)}\n${'1\n'.repeat(4000)}`),
      importOf(`${names(15_000)}\n${'1\n'.repeat(2000)}`),
      importOf(`project_id,started_at,ended_at\n${'1\n'.repeat(500_000)}`),
    ];
    await inParallel(6, (client) => send(firstUser(people), messages[client % 3] ?? { path: '/' }));
  },
};

const heldBodies: Attack = {
  name: '200 held bodies',
  people: 1,
  run: ({ people, hold }) => {
    const sender = firstUser(people);
    const message = { method: 'POST', path: `/api/projects/${sender.project}/sessions` } as const;
    return inParallel(200, () => hold(sender, message, true));
  },
};

const missingRestores: Attack = {
  name: '30 restores of missing projects',
  people: 1,
  run: ({ people, send }) =>
    inParallel(30, (client) =>
      send(firstUser(people), { method: 'POST', path: `/api/projects/${900_000_000 + client}/restore` }),
    ),
};

const largeImport: Attack = {
  name: 'large imports onto a shared project',
  people: 1,
  run: async ({ people, world, send }) => {
    const [project, rows, stepSeconds] = [world.shared, 20_000, 2];
    let imports = 0;
    // The first client imports a large file, the others small ones, which have to wait for it.
    await inParallel(25, (client) => {
      imports += 1;
      const from = new Date(Date.UTC(2005, 0, 1) + imports * rows * stepSeconds * 1000);
      const file = recordsFile({ project, rows: client === 0 ? rows : 2, from, stepSeconds });
      return send(firstUser(people), importOf(file));
    });
  },
};

const small = await smallPicture();

const imageBombs: Attack = {
  name: 'images of many frames, 10 users',
  people: 10,
  run: async ({ people, send }) => {
    const bombs = [await webpOf(40_000), gifOf(1000, 200, 200)];
    await inParallel(20, (client) => {
      const person = people[client % people.length] ?? firstUser(people);
      return send(person, uploadOf(person.project, bombs[client < 10 ? 0 : 1] ?? small));
    });
  },
  probe: ({ admin, shared }) => probeUpload(admin, shared),
};

const probeUpload = (sender: Sender, project: number) => ({
  what: 'upload of a small picture',
  sender,
  message: uploadOf(project, small),
});

export const writing: readonly Attack[] = [
  combiningMarks,
  hostileImports,
  heldBodies,
  missingRestores,
  largeImport,
  imageBombs,
];
