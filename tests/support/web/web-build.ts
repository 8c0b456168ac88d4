import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../../../src/project-root.ts';

/** Builds the web application once per run, if an input has changed. */
export async function setup(): Promise<void> {
  await promisify(execFile)(process.execPath, [path.join(projectRoot, 'scripts/build-web.js')]);
}
