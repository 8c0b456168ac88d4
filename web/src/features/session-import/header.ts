const sampleBytes = 65_536;
const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'gb18030'];
const separators = [',', ';', '\t'];
const maxTitles = 10;

/** The names of a file's columns and the cells of its first row, to let the user assign them. */
export type Header = { names: readonly string[]; example: readonly string[] };

export async function readHeader(file: Blob): Promise<Header> {
  return parseHeader(decode(new Uint8Array(await file.slice(0, sampleBytes).arrayBuffer())));
}

/** In the encodings that the service reads; the end of the sample may be half a character. */
function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const marked = first === 0xff || second === 0 ? 'utf-16le' : first === 0xfe || first === 0 ? 'utf-16be' : undefined;
  for (const encoding of marked === undefined ? encodings : [marked])
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
    } catch {
      // another one
    }
  return '';
}

export function parseHeader(text: string): Header {
  const declared = /^"?sep=(.)"?\r?\n/i.exec(text);
  const rest = text.slice(declared?.[0].length ?? 0).trimStart();
  const lines = rest.replace(/"[^"]*"/g, '').split(/[\r\n]+/, maxTitles);
  const line = lines.find((text) => separators.some((one) => text.includes(one))) ?? '';
  const count = (separator: string) => line.split(separator).length;
  const separator = declared?.[1] ?? separators.toSorted((a, b) => count(b) - count(a))[0] ?? ',';
  // Titles above the header have fewer cells.
  const first = rows(rest, separator);
  const filled = (cells: readonly string[]) => cells.filter((cell) => cell !== '').length;
  const most = Math.max(0, ...first.map(filled));
  const [names = [], example = []] = first.slice(first.findIndex((cells) => filled(cells) === most));
  return { names, example };
}

/** The first rows that are not empty. */
function rows(text: string, separator: string): string[][] {
  const found: string[][] = [];
  let cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (const character of `${text}\n`) {
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted || (character !== separator && character !== '\n')) cell += character;
    else {
      cells.push(cell.trim());
      cell = '';
      if (character !== '\n') continue;
      if (cells.some((text) => text !== '')) found.push(cells);
      if (found.length === maxTitles) break;
      cells = [];
    }
  }
  return found;
}
