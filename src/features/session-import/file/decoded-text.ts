import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { ValidationError } from '../../../errors.ts';

/** Bytes that are decoded and parsed without yielding to the event loop. */
const pieceBytes = 4_096; // the parser takes long for rows that are shorter than the first one

/** The text of a file in UTF-8, UTF-16 or GB18030, without a byte order mark. Throws ValidationError for another encoding. */
export async function* readText(path: string): AsyncGenerator<string> {
  const encoding = await detectEncoding(path);
  try {
    yield* decode(path, encoding);
  } catch (error) {
    throw error instanceof TypeError ? ValidationError.of('file', 'import_encoding') : error;
  }
}

async function* decode(path: string, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  for await (const chunk of createReadStream(path, { highWaterMark: pieceBytes }))
    yield decoder.decode(chunk as Buffer, { stream: true });
  yield decoder.decode();
}

/** UTF-16 by its mark or its zero bytes; otherwise UTF-8, if the whole file is. */
async function detectEncoding(path: string): Promise<string> {
  const head = Buffer.alloc(64);
  const file = await open(path);
  const { bytesRead } = await file.read(head, 0, head.length, 0);
  await file.close();
  const [first, second] = head;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (bytesRead > 3 && first !== 0 && second === 0 && head[3] === 0) return 'utf-16le';
  if (bytesRead > 3 && first === 0 && second !== 0 && head[2] === 0) return 'utf-16be';
  try {
    for await (const _piece of decode(path, 'utf-8'));
    return 'utf-8';
  } catch (error) {
    if (error instanceof TypeError) return 'gb18030';
    throw error;
  }
}
