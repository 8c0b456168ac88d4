import { readdir, readFile } from 'node:fs/promises';

/** Milliseconds that a process of this machine has been running on processors, with all its threads; 0 when it has ended. */
export async function processorTime(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const times = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').catch(() => '0')),
  );
  return times.reduce((sum, text) => sum + Number(text.split(' ', 1)[0]) / 1e6, 0);
}

/** By process. */
export async function processorTimes(pids: readonly number[]): Promise<Map<number, number>> {
  return new Map(await Promise.all(pids.map(async (pid) => [pid, await processorTime(pid)] as const)));
}

/** Milliseconds that the processes of `after` have worked since `before`; those that have ended meanwhile are left out. */
export function workedSince(before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>): number {
  return [...after].reduce((sum, [pid, time]) => sum + time - (before.get(pid) ?? 0), 0);
}
