import { setTimeout } from 'node:timers/promises';
import type { Client, Message, Sender } from './http.ts';
import type { Person, World } from './people.ts';

/** An ordinary request that must succeed while an attack runs, sent once a second. */
export type Probe = { what: string; sender: Sender; message: Message };

export type Attack = {
  name: string;
  /** Users whom the attacker has; each with an address of their own. */
  people: number;
  prepare?: (scene: Scene) => Promise<void>;
  /** Goes on until the thread that runs it is ended. */
  run: (scene: Scene) => Promise<void>;
  probe?: (world: World, people: readonly Person[]) => Probe;
};

/** What an attack works with. */
export type Scene = {
  client: Client;
  world: World;
  people: readonly Person[];
  /** Sends a request and counts its status. */
  strike(sender: Sender, message: Message): Promise<number | string>;
  /**
   * Sends a request and does not read the response; `drip` sends its body, byte by byte. Ends after some seconds.
   */
  hold(sender: Sender, message: Message, drip?: boolean): Promise<void>;
};

const holdSeconds = 20;
const drippingBytes = 50_000;

export type Tally = { sent: number; statuses: Record<string, number> };

export function createScene(client: Client, world: World, people: readonly Person[], tally: Tally): Scene {
  const count = (status: number | string) => {
    tally.statuses[status] = (tally.statuses[status] ?? 0) + 1;
  };
  return {
    client,
    world,
    people,
    async strike(sender, message) {
      tally.sent += 1;
      const { status } = await client.send(sender, message);
      count(status);
      return status;
    },
    async hold(sender, message, drip = false) {
      tally.sent += 1;
      const announced = { 'content-type': 'application/json', 'content-length': drippingBytes };
      const request = client.open(sender, { ...message, ...(drip && { headers: announced }) });
      let ended = false;
      request.once('response', ({ statusCode = 0 }) => {
        count(statusCode);
        ended = drip; // a body is not wanted any more
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

/** So many clients of an attacker, each of which sends its next request when the last is answered. */
export async function inParallel(clients: number, next: (client: number) => Promise<unknown>) {
  const one = async (client: number) => {
    while (true) {
      const status = await next(client);
      // A flood of requests that are rejected at once is an attack of its own; the others make the most of their limit.
      if (status === 429 || typeof status === 'string') await setTimeout(1000);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, client) => one(client)));
}

/** The first user of the attacker. */
export function firstOf(people: readonly Person[]): Person {
  const [first] = people;
  if (first === undefined) throw new Error('the attack has no users');
  return first;
}
