import { parentPort, workerData } from 'node:worker_threads';
import { attacks } from './attacks/all.ts';
import { createScene, type Tally } from './attacks/attack.ts';
import { createClient } from './attacks/http.ts';
import type { Person, World } from './attacks/people.ts';

/** The thread of an attack: its work must not delay the clock of the load. */
const { name, world, people } = workerData as { name: string; world: World; people: Person[] }; // given by attacks.ts
const attack = attacks.find((one) => one.name === name);
if (attack === undefined || parentPort === null) throw new Error('not started by attacks.ts');
const port = parentPort;
const tally: Tally = { sent: 0, statuses: {} };
const scene = createScene(createClient(world.origin), world, people, tally);

await attack.prepare?.(scene);
Object.assign(tally, { sent: 0, statuses: {} });
port.on('message', (message: 'start' | 'stop') => {
  if (message === 'start') attack.run(scene).catch(fail);
  else port.postMessage(tally);
});
port.postMessage('ready');

function fail(error: unknown): never {
  throw error;
}
