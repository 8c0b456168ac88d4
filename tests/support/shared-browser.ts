import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the browser of the run listens. */
    browser: string;
  }
}

const program = '/usr/bin/chromium';
const quiet = ['--no-sandbox', '--headless', '--disable-gpu', '--disable-quic', '--no-first-run'];
const offline = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];
export const noBrowser = existsSync(program) ? false : `needs ${program}`;

/** One browser for the whole run; every test has a context of its own in it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (noBrowser) return async () => undefined;
  const server = await chromium.launchServer({ executablePath: program, args: [...quiet, ...offline] });
  project.provide('browser', server.wsEndpoint());
  return () => server.close();
}
