import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';

/** A server under measurement, its process, and where it answers. */
export type Server = { origin: string; pid: number; stop(): Promise<void> };

// In production the metrics are closed without one.
const metricsToken = randomBytes(24).toString('hex');

/** Starts a built file, as production runs it: what a loader of TypeScript adds at run time is not measured. */
export async function startServer(file: string, environment: NodeJS.ProcessEnv): Promise<Server> {
  const child = spawn(process.execPath, [join(import.meta.dirname, file)], {
    env: { ...process.env, METRICS_TOKEN: metricsToken, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  return { origin: await originOf(child), pid: child.pid ?? 0, stop };
}

/** The address that a process prints as JSON once it listens. The rest of its output is read and dropped, as a log collector would. */
async function originOf(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the output is not read');
  const output = child.stdout.setEncoding('utf8');
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`a server ended with ${code}`)));
    let text = '';
    output.on('data', function search(chunk: string) {
      text += chunk;
      const origin = /"origin":"([^"]+)"/.exec(text)?.[1];
      if (origin === undefined) return;
      // Line by line, the rest would cost the load generator as much as its requests.
      output.off('data', search).resume();
      resolve(origin);
    });
  });
}

// Milliseconds between the moments at which the event loop is looked at. They count as delay, also when nothing happens.
const resolution = 10;

/**
 * What the service says of itself: event-loop delay since it was asked last (p99, milliseconds), memory in megabytes,
 * processor time since its start in seconds.
 */
export async function figuresOf(origin: string): Promise<{ delay: number; memory: number; processor: number }> {
  const headers = { authorization: `Bearer ${metricsToken}` };
  const text = await (await fetch(`${origin}/metrics`, { headers })).text();
  const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  return {
    delay: figure('nodejs_eventloop_lag_p99_seconds') * 1000 - resolution,
    memory: figure('process_resident_memory_bytes') / 1024 / 1024,
    processor: figure('process_cpu_seconds_total'),
  };
}
