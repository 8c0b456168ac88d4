import { parentPort, workerData } from 'node:worker_threads';
import { attacks } from './attacks/all.ts';
import { createAttackContext, type Tally } from './attacks/attack.ts';
import { createClient } from './attacks/http.ts';
import type { Person, World } from './attacks/people.ts';

/** Runs an attack in its own thread, so that its work does not distort the measured latencies. */
const { name, world, people } = workerData as { name: string; world: World; people: Person[] }; // set by attacks.ts
const attack = attacks.find((one) => one.name === name);
if (attack === undefined || parentPort === null) throw new Error('not started by attacks.ts');
const port = parentPort;
const tally: Tally = { sent: 0, statuses: {} };
const context = createAttackContext(createClient(world.origin), world, people, tally);

await attack.prepare?.(context);
Object.assign(tally, { sent: 0, statuses: {} });
port.on('message', (message: 'start' | 'stop') => {
  if (message === 'start') attack.run(context).catch(fail);
  else port.postMessage(tally);
});
port.postMessage('ready');

function fail(error: unknown): never {
  throw error;
}
