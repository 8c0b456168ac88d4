import { open } from 'node:fs/promises';
import { readOneRoster } from './oneroster.ts';
import { readRosterCsv } from './roster-csv.ts';
import type { RosterFile } from './roster-row.ts';

/** Reads a CSV file or a OneRoster archive. Throws ValidationError for anything else. */
export async function readRoster(path: string, now: Date): Promise<RosterFile> {
  const head = Buffer.alloc(4);
  const file = await open(path);
  await file.read(head, 0, head.length, 0).finally(() => file.close());
  return head.toString('hex') === '504b0304' ? readOneRoster(path, now) : readRosterCsv(path);
}
