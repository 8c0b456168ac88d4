import { measure } from './measure.ts';
import { operations } from './operations.ts';
import type { Fixtures } from './prepare.ts';
import { readMetrics, type Server } from './servers.ts';

/** Number of connections by operation: readers, writers, and a few expensive operations. */
const mix: Readonly<Record<string, number>> = {
  'list, uncached': 3,
  'list, cached': 3,
  'list of an administrator': 2,
  'one project': 2,
  'statistics, 300 records': 1,
  'create a project': 1,
  'record a session': 2,
  'batch replace 100 × 10': 1,
  'sign-in': 1,
  'image of 1 MB': 1,
};

/** Runs all of them concurrently and prints the service's metrics every minute. Memory must not grow. */
export async function soak(service: Server, fixtures: Fixtures, minutes: number): Promise<void> {
  const chosen = operations.filter(({ name }) => name in mix);
  process.stdout.write('| minute | requests/s | memory MB | delay p99 ms | errors |\n|---|---|---|---|---|\n');
  await readMetrics(service.origin);
  for (let minute = 1; minute <= minutes; minute += 1) {
    const results = await Promise.all(
      chosen.map((operation) => {
        const connections = mix[operation.name] ?? 1;
        return measure(service.origin, { operation, fixtures, side: 0, connections, seconds: 60 });
      }),
    );
    const { delay, memory } = await readMetrics(service.origin);
    const rate = results.reduce((sum, result) => sum + result.rate, 0);
    const errors = results.reduce((sum, result) => sum + result.errors, 0);
    process.stdout.write(
      `| ${minute} | ${Math.round(rate)} | ${memory.toFixed(0)} | ${delay.toFixed(0)} | ${errors} |\n`,
    );
  }
}
