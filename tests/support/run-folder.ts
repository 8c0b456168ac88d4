import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const memory = '/dev/shm';
const required = 4 * 2 ** 30;

/**
 * One temporary folder for everything that a run writes, in memory where there is room. On ext4, which does not reuse an
 * inode for some seconds, creating and dropping a database of a thousand files for each test file took a sixth of the run.
 */
export function setup(): () => void {
  const folder = mkdtempSync(path.join(hasRoomInMemory() ? memory : os.tmpdir(), 'studytrack-tests-'));
  chmodSync(folder, 0o1777); // servers run as other accounts
  process.env['TMPDIR'] = folder; // that of the workers, too, and so of os.tmpdir()
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

function hasRoomInMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= required;
  } catch {
    return false; // not on Linux
  }
}
