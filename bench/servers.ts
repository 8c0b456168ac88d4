import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';

export type Server = { origin: string; pid: number; stop(): Promise<void> };

// In production /metrics requires a token.
const metricsToken = randomBytes(24).toString('hex');

/** Starts a compiled file, as in production, so that no TypeScript loader is measured. */
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
  return { origin: await readOrigin(child), pid: child.pid ?? 0, stop };
}

/** Reads the address that a process logs once it listens. The rest of its output is discarded. */
async function readOrigin(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the child process has no stdout');
  const output = child.stdout.setEncoding('utf8');
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`a server exited with ${code}`)));
    let text = '';
    output.on('data', function search(chunk: string) {
      text += chunk;
      const origin = /"origin":"([^"]+)"/.exec(text)?.[1];
      if (origin === undefined) return;
      // Parsing every line would cost the load generator as much as its requests.
      output.off('data', search).resume();
      resolve(origin);
    });
  });
}

// Sampling interval of the event loop in milliseconds; an idle loop is reported with this delay.
const resolution = 10;

/**
 * Metrics of the service: event-loop delay since the last call (p99, milliseconds), memory in megabytes, CPU time since
 * start in seconds.
 */
export async function readMetrics(origin: string): Promise<{ delay: number; memory: number; processor: number }> {
  const headers = { authorization: `Bearer ${metricsToken}` };
  const text = await (await fetch(`${origin}/metrics`, { headers })).text();
  const metric = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  return {
    delay: metric('nodejs_eventloop_lag_p99_seconds') * 1000 - resolution,
    memory: metric('process_resident_memory_bytes') / 1024 / 1024,
    processor: metric('process_cpu_seconds_total'),
  };
}
