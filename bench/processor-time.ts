import { readdir, readFile } from 'node:fs/promises';

/** Milliseconds that a process of this machine has been running on processors, with all its threads; 0 when it has ended. */
export async function processorTime(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const times = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').catch(() => '0')),
  );
  return times.reduce((sum, text) => sum + Number(text.split(' ', 1)[0]) / 1e6, 0);
}

/** Of processes together. */
export async function sumOfProcessorTimes(pids: readonly number[]): Promise<number> {
  return (await Promise.all(pids.map(processorTime))).reduce((sum, time) => sum + time, 0);
}
