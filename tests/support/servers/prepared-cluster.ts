import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { prepareCluster } from '../../../src/embedded-postgres/cluster.ts';

let prepared: Promise<string> | undefined;

/** Puts a cluster that has never run into a data folder: a copy, which takes a tenth of the time of `initdb`. */
export async function copyCluster(dataDir: string): Promise<void> {
  prepared ??= prepare();
  await promisify(execFile)('cp', ['-a', path.join(await prepared, 'postgres'), dataDir]);
}

async function prepare(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'studytrack-cluster-'));
  await prepareCluster(folder, false, () => undefined);
  return folder;
}
