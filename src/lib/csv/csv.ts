/** What a CSV file begins with, so that spreadsheets read it as UTF-8. */
export const csvStart = '\uFEFF';

/** What spreadsheets take for the start of a formula, also after white space and in full width. */
const formula = /^['\s]*[=+\-@\t\r＝＋－＠]/;

/**
 * One line of a CSV file by RFC 4180, with its line end. Every text is quoted, so that a spreadsheet that splits at
 * semicolons does not find a formula within one. A text that would itself be run as a formula gets an apostrophe before
 * it, and so does one that looks like that already, so that it can be told apart; numbers are left alone.
 */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}

function cell(value: string | number | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const safe = formula.test(value) ? `'${value}` : value;
  return `"${safe.replaceAll('"', '""')}"`;
}

/** The text that `csvLine` wrote, without the apostrophe that it may have got there. */
export function withoutGuard(text: string): string {
  return text.startsWith("'") && formula.test(text) ? text.slice(1) : text;
}
