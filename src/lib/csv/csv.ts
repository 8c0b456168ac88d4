/** A byte order mark: spreadsheets then read the file as UTF-8. */
export const csvStart = '\uFEFF';

/** How a formula may start in spreadsheets, including white space and full-width characters. */
const formula = /^['\s]*[=+\-@\t\r＝＋－＠]/;

/**
 * A line by RFC 4180. All text is quoted, because spreadsheets that split at semicolons could find a formula inside. Formulas get an
 * apostrophe prefix, and so does text that already has one before a formula, so that `withoutGuard` can reverse it.
 */
export function csvLine(cells: readonly (string | number | null)[], separator = ','): string {
  return `${cells.map(cell).join(separator)}\r\n`;
}

function cell(value: string | number | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const safe = formula.test(value) ? `'${value}` : value;
  return `"${safe.replaceAll('"', '""')}"`;
}

export function withoutGuard(text: string): string {
  return text.startsWith("'") && formula.test(text) ? text.slice(1) : text;
}
