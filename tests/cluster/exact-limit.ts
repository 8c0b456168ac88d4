import { expect } from 'vitest';

/**
 * Concurrent requests of one user to all processes are each counted exactly once by the general limit. Repeated when the
 * limit's minute ends in between.
 */
export async function exactLimit(processes: readonly string[], token: string): Promise<void> {
  await expect.poll(() => remainingFrom(processes, token), { interval: 1_000 }).toEqual('consecutive');
}

async function remainingFrom(processes: readonly string[], token: string): Promise<string> {
  const targets = Array.from({ length: 4 }, () => processes).flat();
  const remaining = await Promise.all(
    targets.map(async (origin) => {
      const response = await fetch(`${origin}/api/timer`, { headers: { Authorization: `Bearer ${token}` } });
      await response.arrayBuffer();
      return Number(/r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1]);
    }),
  );
  const sorted = remaining.sort((a, b) => a - b);
  const [lowest = 0] = sorted;
  return sorted.every((count, index) => count === lowest + index) ? 'consecutive' : sorted.join();
}
