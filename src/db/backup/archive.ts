import { z } from 'zod';

/**
 * A backup is a gzipped tar: pictures (`pictures/NAME`), then `manifest.json`, the pictures that came meanwhile, the
 * rows of each table in PostgreSQL's text format (`tables/NAME/000001` …), and `end.json`, without which it is not whole.
 */
const manifestSchema = z.object({
  format: z.literal(1),
  created_at: z.string(),
  migrations: z.array(z.string()).min(1),
  /** In an order in which no row comes before one that it names. */
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
  /** The last number that each gave out; null when it gave out none. */
  sequences: z.array(z.object({ name: z.string(), last: z.int().nullable() })),
});
export type Manifest = z.output<typeof manifestSchema>;
export type Table = Manifest['tables'][number];

const endSchema = z.object({ rows: z.record(z.string(), z.int()), pictures: z.int() });
/** What the archive holds, as counted while it was written. */
export type End = z.output<typeof endSchema>;

export const parseManifest = (text: string): Manifest => manifestSchema.parse(JSON.parse(text));
export const parseEnd = (text: string): End => endSchema.parse(JSON.parse(text));

/** Why there will be no backup, or no restore: for the operator. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}
