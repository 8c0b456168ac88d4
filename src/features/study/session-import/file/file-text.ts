import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { ValidationError } from '../../../../texts/errors.ts';

/** How files begin that are no text: ZIP archives (workbooks), older workbooks, PDF documents, pictures (PNG, JPEG, GIF), and gzip. */
const documentStarts = ['504b0304', 'd0cf11e0', '25504446', '89504e47', 'ffd8ff', '47494638', '1f8b08'];

/**
 * The text of a file in UTF-8, UTF-16, GB18030, Big5, Shift_JIS or windows-1252, without a byte order mark, in pieces. Throws ValidationError
 * for anything else.
 */
export async function* readText(path: string, pieceBytes: number): AsyncGenerator<string> {
  const encoding = await detectEncoding(path);
  try {
    yield* decode(path, pieceBytes, encoding);
  } catch (error) {
    throw error instanceof TypeError ? ValidationError.of('file', 'import_encoding') : error;
  }
}

async function* decode(path: string, pieceBytes: number, { encoding, isFatal }: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: isFatal });
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>)
    for (let at = 0; at < chunk.length; at += pieceBytes)
      yield decoder.decode(chunk.subarray(at, at + pieceBytes), { stream: true });
  yield decoder.decode();
}

type Encoding = { encoding: string; isFatal: boolean };

/** Lead bytes below it are those of symbols in both Big5 and GB18030. */
const firstLeadOfCharacters = 0xa4;

async function detectEncoding(path: string): Promise<Encoding> {
  const head = Buffer.alloc(64);
  const file = await open(path);
  const { bytesRead } = await file.read(head, 0, head.length, 0);
  await file.close();
  const start = head.toString('hex', 0, 4);
  if (documentStarts.some((known) => start.startsWith(known))) throw ValidationError.of('file', 'import_document');
  const [first, second] = head;
  if (first === 0xff && second === 0xfe) return { encoding: 'utf-16le', isFatal: true };
  if (first === 0xfe && second === 0xff) return { encoding: 'utf-16be', isFatal: true };
  // Without a mark: letters, digits and separators have a byte 0 behind the other one, or before it. A single 0 is damage.
  let zeros = 0;
  for (const [at, byte] of head.subarray(0, bytesRead).entries()) if (byte === 0) zeros += at % 2 === 0 ? -1 : 1;
  if (zeros !== 0 && Math.abs(zeros) * 16 >= bytesRead)
    return { encoding: zeros > 0 ? 'utf-16le' : 'utf-16be', isFatal: true };
  return byContent(path);
}

/** Whether two bytes are a kana of Shift_JIS; as GB18030, such are rare. */
const isKana = (lead: number, trail: number): boolean =>
  (lead === 0x82 && trail >= 0x9f && trail <= 0xf1) || (lead === 0x83 && trail >= 0x40 && trail <= 0x96);

/**
 * UTF-8, if most characters outside ASCII are valid: a damaged one costs no other. Otherwise Shift_JIS, if many are kana, or Big5, if its
 * frequent characters are more than those of GB18030; of the rest, GB18030 writes most characters as two such bytes in a row, and
 * windows-1252 as a single one.
 */
async function byContent(path: string): Promise<Encoding> {
  const decoder = new TextDecoder('utf-8');
  const count = { valid: 0, damaged: 0, single: 0, several: 0, all: 0, kana: 0, pairs: 0, big5: 0, gb18030: 0 };
  let run = 0;
  let lead = 0;
  for await (const chunk of createReadStream(path)) {
    for (const byte of chunk as Buffer) {
      if (lead > 0) count.all += 1;
      if (isKana(lead, byte)) count.kana += 1;
      if (lead >= firstLeadOfCharacters) {
        count.pairs += 1;
        if (lead <= 0xc6) count.big5 += 1;
        if (lead >= 0xb0 && lead <= 0xd7 && byte > 0xa0) count.gb18030 += 1;
      }
      lead = lead === 0 && byte > 0x7f ? byte : 0;
      if (byte > 0x7f) run += 1;
      else if (run > 0) {
        count[run === 1 ? 'single' : 'several'] += 1;
        run = 0;
      }
    }
    const text = decoder.decode(chunk as Buffer, { stream: true });
    // The character that stands for damage may be in the file itself.
    const written = (chunk as Buffer).toString('latin1').match(/\xef\xbf\xbd/g)?.length ?? 0;
    const damaged = (text.match(/\uFFFD/g)?.length ?? 0) - written;
    count.damaged += damaged;
    count.valid += (text.match(/[^\0-\x7F]/g)?.length ?? 0) - damaged;
  }
  count.damaged += decoder.decode().length;
  if (count.valid >= count.damaged) return { encoding: 'utf-8', isFatal: false };
  if (count.kana > 0.3 * count.all) return { encoding: 'shift_jis', isFatal: true };
  if (count.big5 > count.gb18030 && count.big5 > 0.8 * count.pairs) return { encoding: 'big5', isFatal: true };
  return count.single > count.several
    ? { encoding: 'windows-1252', isFatal: false }
    : { encoding: 'gb18030', isFatal: true };
}
