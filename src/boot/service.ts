import cluster from 'node:cluster';
import path from 'node:path';
import { readWebSite } from '../http/web/web-router.ts';
import { startJobs } from '../lib/jobs.ts';
import { projectRoot } from '../project-root.ts';
import { createApp } from './app.ts';
import type { ContainerOptions } from './composition/index.ts';
import { createContainer } from './composition/index.ts';
import { startHttpServer } from './http-server.ts';
import { shareMetrics } from './workers.ts';

export type Service = { origin: string; stop(): Promise<void> };

export async function startService(options: ContainerOptions): Promise<Service> {
  const { config, logger } = options;
  const container = createContainer({
    ...options,
    ...(cluster.isWorker && { shareMetrics }),
  });
  await container.redis?.open();
  const site = readWebSite(path.join(projectRoot, 'dist/web'));
  const http = await startHttpServer(createApp(container, site), config);
  const stopJobs = startJobs(container.jobs, logger, container.metrics);
  return {
    origin: http.origin,
    stop: async () => {
      container.lifecycle.draining = true;
      await Promise.all([http.drain(config.shutdownSeconds * 700), stopJobs()]);
      await container.redis?.close();
    },
  };
}
