import type { Client, Message, Sender } from './client.ts';
import type { Person, World } from './people.ts';

export type Context = {
  client: Client;
  world: World;
  people: readonly Person[];
  me: Person;
  /** For data that a user cannot have stored in the time of a run. */
  sql: (text: string, values?: unknown[]) => Promise<unknown>;
};
export type Options = {
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
export const attack = (name: string, options: Options, request: Attack['request']): Attack => ({
  name,
  ...options,
  request,
});
