import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { projectRoot } from '../../lib/project-root.ts';

// A backup is a gzipped tar: images (`pictures/NAME`), `manifest.json`, images added meanwhile, each table's rows in PostgreSQL's
// text format (`tables/NAME/000001` …), and `end.json`, without which it is incomplete.
const manifestSchema = z.object({
  format: z.literal(1),
  created_at: z.string(),
  version: z.string(),
  /** Only a version with the same schema restores the backup. */
  schema: z.string(),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
  /** `last` is null for an unused sequence. */
  sequences: z.array(z.object({ name: z.string(), last: z.int().nullable() })),
});
export type Manifest = z.output<typeof manifestSchema>;
export type Table = Manifest['tables'][number];

const endSchema = z.object({ rows: z.record(z.string(), z.int()), pictures: z.int() });
export type End = z.output<typeof endSchema>;

export const parseManifest = (text: string): Manifest => manifestSchema.parse(JSON.parse(text));
export const parseEnd = (text: string): End => endSchema.parse(JSON.parse(text));

/** Identifies the schema that this version creates. */
export async function readSchemaHash(): Promise<string> {
  const text = await readFile(path.join(projectRoot, 'db/schema.sql'));
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

export class BackupError extends Error {
  override readonly name = 'BackupError';
}
