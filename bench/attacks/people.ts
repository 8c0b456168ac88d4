import { randomBytes } from 'node:crypto';
import { type Client, expectData, type Sender } from './http.ts';

/** A user with their own project, assigned to the shared project. */
export type Person = Sender & { token: string; id: number; username: string; password: string; project: number };

/** Passed to the attack threads, therefore plain data. */
export type World = { origin: string; admin: Sender; shared: number };

export const adminName = 'bench-admin';

async function signIn(client: Client, address: string, username: string, password: string): Promise<string> {
  return (await post<{ token: string }>(client, { address }, '/api/auth/login', { username, password })).token;
}

/** Signs the administrator in and creates the project that every user is assigned to. */
export async function createWorld(client: Client, origin: string, password: string): Promise<World> {
  const address = '10.0.0.1';
  const admin = { address, token: await signIn(client, address, adminName, password) };
  const owner = await createPerson(client, admin, 'owner', '10.0.0.2');
  return { origin, admin, shared: owner.project };
}

async function createPerson(client: Client, admin: Sender, username: string, address: string): Promise<Person> {
  const password = randomBytes(15).toString('base64url');
  const account = { username, email: `${username}@example.org`, password };
  const { id } = await post<{ id: number }>(client, admin, '/api/admin/users', account);
  const token = await signIn(client, address, username, password);
  const body = { name: `Project of ${username}` };
  const project = await post<{ id: number }>(client, { address, token }, '/api/projects', body);
  return { address, token, id, username, password, project: project.id };
}

const post = <T>(client: Client, sender: Sender, path: string, body: object) =>
  expectData<T>(client.send(sender, { method: 'POST', path, body }));

/** Creates users named `prefix`1, `prefix`2, … with the addresses `network`.1, `network`.2, … */
export async function createPeople(client: Client, world: World, prefix: string, network: string, number: number) {
  const people: Person[] = [];
  for (let n = 1; n <= number; n += 1)
    people.push(await createPerson(client, world.admin, `${prefix}${n}`, `${network}.${n}`));
  const body = { project_ids: [world.shared], user_ids: people.map(({ id }) => id), assign_type: 'add' };
  if (number > 0) await post(client, world.admin, '/api/projects/batch-assign', body);
  return people;
}
