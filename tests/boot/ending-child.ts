import { setTimeout as delay } from 'node:timers/promises';
import { installShutdownHandlers } from '../../src/boot/shutdown.ts';
import { createLogger } from '../../src/lib/log/logger.ts';

/** A process that exits in the way its argument names. */
const [, , way] = process.argv;
const stop = async () => {
  process.stdout.write('closing\n');
  await delay(way === 'stuck' ? 60_000 : 10);
};
installShutdownHandlers(1, createLogger('info')).onStop(stop);
setInterval(() => undefined, 1000);
if (way === 'throw') {
  setImmediate(() => {
    throw new Error('a bug');
  });
}
if (way === 'reject') void Promise.reject(new Error('a bug'));
if (way === 'stuck') process.kill(process.pid, 'SIGINT');
