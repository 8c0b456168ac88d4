import { createApp } from '../app.ts';
import { type ContainerOptions, createContainer } from '../container.ts';
import { startJobs } from '../lib/jobs.ts';
import { startHttpServer } from './http-server.ts';

/** What serves requests: this process, or the workers under it. */
export type Service = { origin: string; stop(): Promise<void> };

/** Serves requests in this process. Throws StartError when the address cannot be listened on. */
export async function startService(options: ContainerOptions): Promise<Service> {
  const { config, logger } = options;
  const container = createContainer(options);
  const http = await startHttpServer(createApp(container), config);
  const stopJobs = startJobs(container.jobs, logger);
  return {
    origin: http.origin,
    stop: async () => {
      container.lifecycle.draining = true;
      // Some of the time is left for the pools, and for the embedded server.
      await Promise.all([http.drain(config.shutdownSeconds * 700), stopJobs()]);
    },
  };
}
