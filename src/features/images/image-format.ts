/** The formats a cover image may have. */
export const imageFormats = {
  jpeg: { extension: 'jpg', contentType: 'image/jpeg' },
  png: { extension: 'png', contentType: 'image/png' },
  gif: { extension: 'gif', contentType: 'image/gif' },
  webp: { extension: 'webp', contentType: 'image/webp' },
} as const;
export type ImageFormat = keyof typeof imageFormats;

/** The content type of a stored picture, by its name. */
export function pictureType(name: string): string {
  const known = Object.values(imageFormats).find(({ extension }) => name.endsWith(`.${extension}`));
  return known?.contentType ?? 'application/octet-stream';
}

/** The format by the first bytes; what the file is called or declared to be does not count. */
export function detectFormat(bytes: Buffer): ImageFormat | undefined {
  const head = bytes.toString('latin1', 0, 12);
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'gif';
  return head.startsWith('RIFF') && head.endsWith('WEBP') ? 'webp' : undefined;
}

/**
 * Whether the file goes on to the mark that ends its format. The decoders show what they have: an animation that was
 * cut off just gets shorter, a photo without its last bytes a grey edge. What follows the mark does not matter.
 */
export function isWhole(format: ImageFormat, bytes: Buffer): boolean {
  switch (format) {
    case 'jpeg':
      return isWholeJpeg(bytes);
    case 'png':
      return isWholePng(bytes);
    case 'gif':
      return isWholeGif(bytes);
    case 'webp':
      // Says its own length at the start, and the decoder holds it to that.
      return true;
  }
}

/** Reads past the end give 0, which in no format continues a file. */
function byteAt(bytes: Buffer, at: number): number {
  return bytes[at] ?? 0;
}

function isWholeJpeg(bytes: Buffer): boolean {
  let at = 2;
  while (at < bytes.length) {
    const marker = bytes[at] === 0xff ? byteAt(bytes, at + 1) : 0;
    if (marker === 0xd9) return true;
    const isSegment = marker >= 0xc0 && marker < 0xff && !(marker >= 0xd0 && marker <= 0xd7);
    at += isSegment ? 2 + byteAt(bytes, at + 2) * 256 + byteAt(bytes, at + 3) : 1;
  }
  return false;
}

function isWholePng(bytes: Buffer): boolean {
  const end = 0x49454e44; // IEND
  for (let at = 8; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    if (bytes.readUInt32BE(at + 4) === end) return true;
  }
  return false;
}

function isWholeGif(bytes: Buffer): boolean {
  const colours = (flags: number) => ((flags & 0x80) === 0 ? 0 : 3 << ((flags & 7) + 1));
  let at = 13 + colours(byteAt(bytes, 10));
  for (;;) {
    const block = byteAt(bytes, at);
    if (block === 0x3b) return true;
    if (block === 0x21) at += 2;
    else if (block === 0x2c) at += 11 + colours(byteAt(bytes, at + 9));
    else return false;
    // The block's data, in pieces of a stated length, up to one of length 0.
    while (byteAt(bytes, at) !== 0) at += 1 + byteAt(bytes, at);
    at += 1;
  }
}
