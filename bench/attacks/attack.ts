import { setTimeout } from 'node:timers/promises';
import type { Client, Message, Sender } from './http.ts';
import type { Person, World } from './people.ts';

/** An ordinary request that must succeed while an attack runs, sent once a second. */
export type Probe = { what: string; sender: Sender; message: Message };

export type Attack = {
  name: string;
  /** The attacker's users, each with their own address. */
  people: number;
  prepare?: (context: AttackContext) => Promise<void>;
  /** Runs until its thread is terminated. */
  run: (context: AttackContext) => Promise<void>;
  probe?: (world: World, people: readonly Person[]) => Probe;
};

export type AttackContext = {
  client: Client;
  world: World;
  people: readonly Person[];
  /** Sends a request and counts its status. */
  send(sender: Sender, message: Message): Promise<number | string>;
  /**
   * Sends a request without reading the response; `drip` sends the body byte by byte. Ends after `holdSeconds`.
   */
  hold(sender: Sender, message: Message, drip?: boolean): Promise<void>;
};

const holdSeconds = 20;
const drippingBytes = 50_000;

export type Tally = { sent: number; statuses: Record<string, number> };

export function createAttackContext(
  client: Client,
  world: World,
  people: readonly Person[],
  tally: Tally,
): AttackContext {
  const count = (status: number | string) => {
    tally.statuses[status] = (tally.statuses[status] ?? 0) + 1;
  };
  return {
    client,
    world,
    people,
    async send(sender, message) {
      tally.sent += 1;
      const { status } = await client.send(sender, message);
      count(status);
      return status;
    },
    async hold(sender, message, drip = false) {
      tally.sent += 1;
      const headers = { 'content-type': 'application/json', 'content-length': drippingBytes };
      const request = client.open(sender, { ...message, ...(drip && { headers }) });
      let ended = false;
      request.once('response', ({ statusCode = 0 }) => {
        count(statusCode);
        ended = drip; // the server has rejected the body
      });
      request.on('error', (error: NodeJS.ErrnoException) => {
        count(error.code ?? 'error');
        ended = true;
      });
      if (!drip) request.end();
      for (let second = 0; second < holdSeconds && !ended; second += 1) {
        if (drip) request.write(' ');
        await setTimeout(1000);
      }
      request.destroy();
    },
  };
}

/** Runs that many clients of an attacker, each of which sends its next request after the previous response. */
export async function inParallel(clients: number, next: (client: number) => Promise<unknown>) {
  const one = async (client: number) => {
    while (true) {
      const status = await next(client);
      // Without the pause this would be a flood of rejected requests, which is a separate attack.
      if (status === 429 || typeof status === 'string') await setTimeout(1000);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, client) => one(client)));
}

/** The first user of the attacker. */
export function firstUser(people: readonly Person[]): Person {
  const [first] = people;
  if (first === undefined) throw new Error('the attack has no users');
  return first;
}
