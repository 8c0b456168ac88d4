const sampleBytes = 65_536;
const separators = [',', ';', '\t'];
const maxTitles = 10;

/** The names of a file's columns and the cells of its first row, to let the user assign them. */
export type Header = { names: readonly string[]; example: readonly string[] };

export async function readHeader(file: Blob): Promise<Header> {
  return parseHeader(decode(new Uint8Array(await file.slice(0, sampleBytes).arrayBuffer())));
}

/** As the service decodes it; the end of the sample may be half a character. */
function decode(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes)).decode(bytes, { stream: true });
}

function encodingOf(bytes: Uint8Array): string {
  const [first] = bytes;
  if (first === 0xff) return 'utf-16le';
  if (first === 0xfe) return 'utf-16be';
  let zeros = 0;
  const head = bytes.subarray(0, 64);
  for (const [at, byte] of head.entries()) if (byte === 0) zeros += at % 2 === 0 ? -1 : 1;
  if (zeros !== 0 && Math.abs(zeros) * 16 >= head.length) return zeros > 0 ? 'utf-16le' : 'utf-16be';
  const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;
  const text = new TextDecoder().decode(bytes, { stream: true });
  if (count(text, /[^\0-\x7F]/g) >= 2 * count(text, /\uFFFD/g)) return 'utf-8';
  if (isBig5(bytes)) return 'big5';
  // GB18030 writes most characters as two bytes in a row that are not ASCII, windows-1252 as a single one.
  const runs = new TextDecoder('windows-1252').decode(bytes).match(/[^\0-\x7F]+/g) ?? [];
  return 2 * runs.filter((run) => run.length === 1).length > runs.length ? 'windows-1252' : 'gb18030';
}

/** Whether more frequent characters are Big5 than GB18030. Lead bytes below 0xA4 are those of symbols in both. */
function isBig5(bytes: Uint8Array): boolean {
  const count = { pairs: 0, big5: 0, gb18030: 0 };
  for (let at = 0; at < bytes.length; at += 1) {
    const lead = bytes[at] ?? 0;
    if (lead > 0x7f) at += 1; // two bytes are a character
    if (lead < 0xa4) continue;
    count.pairs += 1;
    if (lead <= 0xc6) count.big5 += 1;
    if (lead >= 0xb0 && lead <= 0xd7 && (bytes[at] ?? 0) > 0xa0) count.gb18030 += 1;
  }
  return count.big5 > count.gb18030 && count.big5 > 0.8 * count.pairs;
}

export function parseHeader(text: string): Header {
  return jsonHeader(text) ?? tableHeader(text);
}

/** The properties of the first object of a list in JSON. */
function jsonHeader(text: string): Header | undefined {
  if (!/^\s*(?:\[\s*\{|\{\s*")/.test(text)) return undefined;
  const list = text.slice(text.indexOf('[') + 1);
  for (let end = list.indexOf('}'), tries = 0; end >= 0 && tries < 20; end = list.indexOf('}', end + 1), tries += 1)
    try {
      const fields = Object.entries(JSON.parse(list.slice(0, end + 1)) as object);
      return {
        names: fields.map(([name]) => name),
        example: fields.map(([, value]) => (typeof value === 'object' ? '' : String(value))),
      };
    } catch {
      // the end of an object within it
    }
  return undefined;
}

function tableHeader(text: string): Header {
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
