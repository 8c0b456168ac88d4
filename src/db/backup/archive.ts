import { z } from 'zod';

/**
 * A backup is a gzipped tar: pictures (`pictures/NAME`), then `manifest.json`, pictures added meanwhile, the rows
 * of each table in PostgreSQL's text format (`tables/NAME/000001` …), and `end.json`, without which it is incomplete.
 */
const manifestSchema = z.object({
  format: z.literal(1),
  created_at: z.string(),
  migrations: z.array(z.string()).min(1),
  /** In an order in which no row precedes one that it references. */
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
  /** The last value of each; null when it has not been used. */
  sequences: z.array(z.object({ name: z.string(), last: z.int().nullable() })),
});
export type Manifest = z.output<typeof manifestSchema>;
export type Table = Manifest['tables'][number];

const endSchema = z.object({ rows: z.record(z.string(), z.int()), pictures: z.int() });
export type End = z.output<typeof endSchema>;

export const parseManifest = (text: string): Manifest => manifestSchema.parse(JSON.parse(text));
export const parseEnd = (text: string): End => endSchema.parse(JSON.parse(text));

export class BackupError extends Error {
  override readonly name = 'BackupError';
}
