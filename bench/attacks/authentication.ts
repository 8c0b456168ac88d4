import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type Attack, firstUser, inParallel } from './attack.ts';
import type { Message } from './http.ts';
import type { Person } from './people.ts';

const randomByte = () => Math.floor(Math.random() * 256);

const loginOf = ({ username }: Person, password: string): Message => ({
  method: 'POST',
  path: '/api/auth/login',
  body: { username, password },
});

const passwordChanges: Attack = {
  name: '300 wrong password changes at once',
  people: 1,
  run: async ({ people, send }) => {
    const body = { current_password: 'not the password', new_password: 'another password of nobody' };
    const message = { method: 'PUT', path: '/api/auth/password', body } as const;
    while (true) {
      await Promise.all(Array.from({ length: 300 }, () => send(firstUser(people), message)));
      await setTimeout(1000);
    }
  },
};

const wrongSignIns: Attack = {
  name: 'wrong sign-ins from many addresses',
  people: 1,
  run: ({ people, send }) =>
    inParallel(16, () =>
      send({ address: `10.200.${randomByte()}.${randomByte()}` }, loginOf(firstUser(people), 'not the password')),
    ),
  probe: (_, people) => ({
    what: 'sign-in of the owner',
    sender: { address: firstUser(people).address },
    message: loginOf(firstUser(people), firstUser(people).password),
  }),
};

const guessedLinks: Attack = {
  name: 'reset requests and guessed links from many addresses',
  people: 1,
  run: ({ people, send }) =>
    inParallel(32, (client) => {
      const sender = { address: `10.201.${randomByte()}.${randomByte()}` };
      const email = `${firstUser(people).username}@example.org`;
      if (client % 2 === 0) return send(sender, { method: 'POST', path: '/api/auth/forgot-password', body: { email } });
      const body = { token: randomBytes(32).toString('base64url'), password: 'another password of nobody' };
      return send(sender, { method: 'POST', path: '/api/auth/accept', body });
    }),
};

const invalidToken = { headers: { authorization: 'Bearer e30.e30.e30' } };
const floodRequests: readonly Message[] = [
  { path: '/api/projects', ...invalidToken },
  { path: '/api/nothing/here' },
  { path: '/docs' },
  { path: '/uploads/projects/5a1e0c6e-4f0b-4c57-9a51-0d4f8f1f2a77.webp' },
];

const attacker = { address: '10.80.0.1' };

/** About 400 requests per second: far above every limit, but below the capacity of one process. */
const flood: Attack = {
  name: 'a flood from one address',
  people: 0,
  run: async ({ send }) => {
    const one = async (client: number) => {
      for (let n = client; ; n += 1) {
        await send(attacker, floodRequests[n % floodRequests.length] ?? { path: '/' });
        await setTimeout(50);
      }
    };
    await Promise.all(Array.from({ length: 24 }, (_, client) => one(client)));
  },
  probe: () => ({ what: 'readiness, from that address', sender: attacker, message: { path: '/readyz' } }),
};

export const authentication: readonly Attack[] = [passwordChanges, wrongSignIns, guessedLinks, flood];
