import { z } from 'zod';

// A backup is a gzipped tar: images (`pictures/NAME`), `manifest.json`, images added meanwhile, each table's rows in PostgreSQL's
// text format (`tables/NAME/000001` …), and `end.json`, without which it is incomplete.
const manifestSchema = z.object({
  format: z.literal(1),
  created_at: z.string(),
  migrations: z.array(z.string()).min(1),
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

export class BackupError extends Error {
  override readonly name = 'BackupError';
}
