import type { WriteExport } from './exporter.ts';

export function jsonList<Row>(
  read: (take: (rows: readonly Row[]) => Promise<void>) => Promise<void>,
  toEntry: (row: Row) => object,
  [before, after]: readonly [string, string],
): WriteExport {
  return async (write) => {
    await write(before);
    let separator = '';
    await read(async (rows) => {
      await write(separator + rows.map((row) => JSON.stringify(toEntry(row))).join());
      separator = ',';
    });
    await write(after);
  };
}
