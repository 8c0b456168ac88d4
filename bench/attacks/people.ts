import { setTimeout } from 'node:timers/promises';
import { type Client, type Message, post, type Sender } from './client.ts';

/** A user with their own project, assigned to the shared project. */
export type Person = Sender & { token: string; id: number; username: string; password: string; project: number };
/** Passed to the attacker's thread, therefore plain data. */
export type World = {
  origin: string;
  databaseUrl: string;
  /** The address of the provider and of the webhook's receiver. */
  others: string;
  admin: Sender;
  shared: number;
  people: readonly Person[];
};

export async function signIn(client: Client, address: string, username: string, password: string): Promise<string> {
  return (await client.data<{ token: string }>({ address }, post('/api/auth/login', { username, password }))).token;
}

/** Creates users named `prefix`1, `prefix`2, …, each with their own address in `network`. The first one's project is shared. */
export async function createPeople(client: Client, admin: Sender, prefix: string, network: string, number: number) {
  const people: Person[] = [];
  for (let n = 1; n <= number; n += 1) {
    const [username, password, address] = [`${prefix}${n}`, 'a password for benchmarks', `${network}.${n}`];
    const account = { username, email: `${username}@example.org`, password };
    const { id } = await client.data<{ id: number }>(admin, post('/api/admin/users', account));
    const token = await signIn(client, address, username, password);
    const named = post('/api/projects', { name: `Project of ${username}` });
    const project = await client.data<{ id: number }>({ address, token }, named);
    people.push({ address, token, id, username, password, project: project.id });
  }
  return people;
}

export async function share(client: Client, { admin, shared }: World, people: readonly Person[]): Promise<void> {
  const body = { project_ids: [shared], user_ids: people.map(({ id }) => id), assign_type: 'add' };
  if (people.length > 0) await client.data(admin, post('/api/projects/batch-assign', body));
}

/** Latencies of ordinary users in milliseconds, and statuses that they must not see. */
export type LoadResult = { p50: number; p99: number; max: number; requests: number; unexpected: (number | string)[] };

const thinkMs = 100;
/** What a user does, repeated: mostly page loads, some records, rarely a sign-in. */
const cycle = ['list', 'project', 'stats', 'record', 'list', 'project', 'list', 'stats', 'record'] as const;
let recordCount = 0;

function messageOf(n: number, { username, password, project }: Person, { shared }: World): Message {
  const id = n % 2 === 0 ? shared : project;
  const kind = n % 50 === 49 ? 'login' : (cycle[n % cycle.length] ?? 'list');
  if (kind === 'list') return { path: '/api/projects' };
  if (kind === 'project') return { path: `/api/projects/${id}` };
  if (kind === 'stats') return { path: `/api/projects/${id}/stats` };
  if (kind === 'login') return post('/api/auth/login', { username, password });
  recordCount += 1;
  const started_at = new Date(Date.UTC(2020, 0, 1) + recordCount * 2000).toISOString();
  return post(`/api/projects/${id}/sessions`, { started_at, duration_seconds: 1 });
}

/**
 * Runs one client per person. Requests that a client could not send while a slow one was in progress count with the latency
 * they would have had: otherwise a stall of seconds would be one sample per client (coordinated omission).
 */
export async function runLoad(client: Client, world: World, seconds: number): Promise<LoadResult> {
  const times: number[] = [];
  const unexpected: (number | string)[] = [];
  const end = performance.now() + seconds * 1000;
  let requests = 0;
  const one = async (person: Person, index: number) => {
    for (let n = index; performance.now() < end; n += 1) {
      const started = performance.now();
      const { status } = await client.send(person, messageOf(n, person, world));
      requests += 1;
      if (status !== 200 && status !== 201) unexpected.push(status);
      for (let time = performance.now() - started; time > 0; time -= 2 * thinkMs) times.push(time);
      await setTimeout(thinkMs);
    }
  };
  await Promise.all(world.people.map(one));
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99), max: at(1), requests, unexpected };
}
