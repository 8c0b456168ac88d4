import { readdir, readFile } from 'node:fs/promises';

/** CPU time of a local process, including all threads, in milliseconds; 0 if it has exited. */
export async function cpuTime(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const times = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').catch(() => '0')),
  );
  return times.reduce((sum, text) => sum + Number(text.split(' ', 1)[0]) / 1e6, 0);
}

/** CPU times by process id. */
export async function cpuTimes(pids: readonly number[]): Promise<Map<number, number>> {
  return new Map(await Promise.all(pids.map(async (pid) => [pid, await cpuTime(pid)] as const)));
}

/** CPU time between the two samples in milliseconds; processes that have exited meanwhile are not counted. */
export function cpuTimeSince(before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>): number {
  return [...after].reduce((sum, [pid, time]) => sum + time - (before.get(pid) ?? 0), 0);
}
