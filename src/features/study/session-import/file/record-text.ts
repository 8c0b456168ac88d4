/** `record`: the most characters of a record; `piece`: the longest piece of the result. */
type Limits = { record: number; piece: number };

/** The last cell of a record that was longer, in place of its other cells. */
export const overlong = '\u0000too long';

/**
 * Prepares a text for a parser. Quotes that begin a cell and do not end one, such as in `5,"Part 2,6`, are rewritten so that they are
 * read as text: otherwise such a cell would contain the following rows. A quoted cell may have several lines if its last quote ends a
 * cell. Records that are too long are cut, because the parser would not recover from them.
 */
export async function* prepareRecords(
  text: AsyncIterable<string>,
  separator: string,
  { record, piece }: Limits,
): AsyncGenerator<string> {
  const read = createCellReader(separator, record);
  let pending = '';
  let awaited = 0;
  function* take(isLast: boolean): Generator<string> {
    const { done, rest } = read(pending, isLast);
    pending = rest;
    awaited = 2 * rest.length; // a long cell is read again from its beginning
    for (let at = 0; at < done.length; at += piece) yield done.slice(at, at + piece);
  }
  for await (const part of text) {
    pending += part;
    if (pending.length >= Math.min(awaited, record)) yield* take(false);
  }
  yield* take(true);
}

/** Reads the cells of texts that begin with one, or within a record that is too long. The rest is a cell whose end is not known yet. */
function createCellReader(separator: string, maximum: number) {
  const ends = new RegExp(`[${separator.replace(/[\\\]^-]/, '\\$&')}\\r\\n]`, 'g');
  let length = 0;
  const endAfter = (text: string, from: number) => {
    ends.lastIndex = from;
    return ends.exec(text)?.index;
  };
  return function read(text: string, isLast: boolean): { done: string; rest: string } {
    let done = '';
    let copied = 0;
    let at = 0;
    while (at < text.length) {
      const isDecided = isLast || text.length - at > maximum || length > maximum;
      const isQuoted = text[at] === '"' && length <= maximum;
      const close = isQuoted ? closingQuote(text, at) : undefined;
      if (isQuoted && !isDecided && (close === undefined || close + 1 === text.length)) break;
      const isStray = isQuoted && !endsCell(text, at, close, endAfter);
      const end = endAfter(text, isStray || close === undefined ? at : close + 1);
      if (end === undefined && !isDecided) break;
      const next = end ?? text.length;
      const wasTooLong = length > maximum;
      length += next - at + 1;
      if (length > maximum) {
        done += text.slice(copied, at) + (wasTooLong ? '' : overlong);
        copied = text[next] === separator ? next + 1 : next;
      } else if (isStray) {
        done += `${text.slice(copied, at)}"${text.slice(at, next).replaceAll('"', '""')}"`;
        copied = next;
      }
      if (end !== undefined && text[next] !== separator) length = 0;
      at = next + 1;
    }
    const stop = Math.min(at, text.length);
    return { done: done + text.slice(copied, stop), rest: text.slice(stop) };
  };
}

/**
 * Whether a quote ends a cell. If text follows it, parsers read both as parts of the cell, which is right unless the quote begins
 * another cell.
 */
function endsCell(
  text: string,
  start: number,
  close: number | undefined,
  endAfter: (text: string, from: number) => number | undefined,
): boolean {
  if (close === undefined) return false;
  if (close + 1 === text.length || endAfter(text, close + 1) === close + 1) return true;
  return endAfter(text, close - 1) !== close - 1 && !/[\r\n]/.test(text.slice(start, close));
}

/** The quote that closes the cell which begins at `start`; two in a row are a quote in the text. */
function closingQuote(text: string, start: number): number | undefined {
  for (let at = start + 1; ; at += 2) {
    at = text.indexOf('"', at);
    if (at < 0) return undefined;
    if (text[at + 1] !== '"') return at;
  }
}
