import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { browserOptions, noBrowser } from './browser-program.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The WebSocket address of the shared browser. */
    browser: string;
  }
}

/** One browser for the whole run; every test has its own context. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (noBrowser !== false) return async () => undefined;
  const server = await chromium.launchServer(browserOptions);
  project.provide('browser', server.wsEndpoint());
  return () => server.close();
}
