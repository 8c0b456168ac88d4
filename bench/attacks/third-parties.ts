import { type Attack, attack, type Options } from './attack.ts';
import { fileForm, post, put, type Sender } from './client.ts';
import type { Person } from './people.ts';

// What the service waits for: a provider of sign-ins, a mail server, the receiver of a webhook.

/** Forty students behind the address of their school, each attack at another one, and sign-ins with a password there. */
function singleSignOn(provider: 'hang' | 'slow', school: Sender) {
  const begin = () => ({
    ...post('/api/auth/browser/single-sign-on', {}),
    headers: { 'sec-fetch-site': 'same-origin' },
    from: school,
  });
  const probe = (_: unknown, me: Person | undefined) => ({
    ...post('/api/auth/login', { username: me?.username, password: me?.password }),
    from: school,
  });
  const prepare: Options['prepare'] = ({ client, world }) => client.behave(world.others, provider);
  return [{ people: 1, clients: 40, probe, prepare }, begin] as const;
}

let rosters = 0;
const columns = 'username,email,display_name,external_id';
/** New students, who are all invited. */
function roster(): string {
  rosters += 1;
  const lines = Array.from(
    { length: 500 },
    (_, n) => `r${rosters}x${n},r${rosters}x${n}@example.org,Student,R${rosters}-${n}`,
  );
  return [columns, ...lines].join('\n');
}

export const thirdParties: readonly Attack[] = [
  attack('a hanging provider, 40 students behind one address', ...singleSignOn('hang', { address: '10.88.0.1' })),
  attack(
    'a provider that takes four seconds, 40 students behind one address',
    ...singleSignOn('slow', { address: '10.88.0.2' }),
  ),
  attack('rosters that invite 500 students each', { people: 1, clients: 1 }, ({ world }) => ({
    ...fileForm('/api/admin/roster', 'file', roster(), { dry_run: 'false', invite: 'true' }),
    from: world.admin,
  })),
  attack(
    '20,000 changes under a webhook whose receiver hangs',
    {
      ...{ people: 2, clients: 16 },
      prepare: async ({ client, world }) => {
        await client.behave(world.others, 'hang');
        const events = ['project.updated', 'session.created', 'session.updated', 'session.deleted'];
        await client.data(world.admin, post('/api/admin/webhooks', { url: `${world.others}/hook`, events }));
      },
    },
    ({ me }, n) => put(`/api/projects/${me.project}`, { name: `Change ${n}` }),
  ),
];
