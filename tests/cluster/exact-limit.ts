import { expect } from 'vitest';

/**
 * Requests of one user to all processes at once find the count of the general limit one higher each: nothing is counted
 * twice or not at all, whichever process counts. Asked again when the minute of the limit ended in between.
 */
export async function exactLimit(processes: readonly string[], token: string): Promise<void> {
  await expect.poll(() => countsFrom(processes, token), { interval: 1_000 }).toEqual('consecutive');
}

async function countsFrom(processes: readonly string[], token: string): Promise<string> {
  const asked = Array.from({ length: 4 }, () => processes).flat();
  const remaining = await Promise.all(
    asked.map(async (origin) => {
      const response = await fetch(`${origin}/api/timer`, { headers: { Authorization: `Bearer ${token}` } });
      await response.arrayBuffer();
      return Number(/r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1]);
    }),
  );
  const sorted = remaining.sort((a, b) => a - b);
  const [lowest = 0] = sorted;
  return sorted.every((left, at) => left === lowest + at) ? 'consecutive' : sorted.join();
}
