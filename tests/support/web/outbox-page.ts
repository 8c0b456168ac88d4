import path from 'node:path';
import { build } from 'esbuild';
import type { BrowserContext } from 'playwright-core';
import { projectRoot } from '../../../src/project-root.ts';

const contents = `
  export { outbox, watchOutbox } from './lib/outbox/outbox.ts';
  export { api, resume, signIn } from './lib/api.ts';
  export { session } from './lib/session.ts';
  export { withPending } from './features/timer/with-pending.ts';
`;
const html = '<!doctype html><title>Outbox</title><script src="/outbox-page.js"></script>';

/** The outbox of the web application without views, which tests can drive much faster than the user interface. */
export async function serveOutboxPage(context: BrowserContext): Promise<void> {
  const bundle = await build({
    stdin: { contents, resolveDir: path.join(projectRoot, 'web/src'), loader: 'ts' },
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'page',
    define: { 'process.env.NODE_ENV': '"production"', 'import.meta.env': '{}' },
  });
  const script = `${bundle.outputFiles[0]?.text}; page.watchOutbox(); void page.resume();`;
  await context.route('**/outbox-page', (route) => route.fulfill({ contentType: 'text/html', body: html }));
  await context.route('**/outbox-page.js', (route) => route.fulfill({ contentType: 'text/javascript', body: script }));
}
