export const imageFormats = {
  jpeg: { extension: 'jpg', contentType: 'image/jpeg' },
  png: { extension: 'png', contentType: 'image/png' },
  gif: { extension: 'gif', contentType: 'image/gif' },
  webp: { extension: 'webp', contentType: 'image/webp' },
} as const;
export type ImageFormat = keyof typeof imageFormats;

export function pictureType(name: string): string {
  const known = Object.values(imageFormats).find(({ extension }) => name.endsWith(`.${extension}`));
  return known?.contentType ?? 'application/octet-stream';
}

/** By the first bytes; file name and declared type are ignored. */
export function detectFormat(bytes: Buffer): ImageFormat | undefined {
  const head = bytes.toString('latin1', 0, 12);
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'gif';
  return head.startsWith('RIFF') && head.endsWith('WEBP') ? 'webp' : undefined;
}

/** What the container of a picture reveals without decoding. */
export type ImageStructure = {
  /**
   * Whether the file contains the end marker of its format. Decoders accept truncated files: an animation gets
   * shorter, a photo gets a grey edge. Data after the marker is ignored.
   */
  isWhole: boolean;
  frames: number;
  /** Passes over a JPEG; each costs as much as decoding the whole picture, however few bytes it has. */
  scans: number;
  isLossless: boolean;
};

/**
 * Reads the container in one linear pass, a few milliseconds for 5 MB. Decoders are not asked for these numbers: the
 * WebP decoder takes time quadratic in the frames for the header alone.
 */
export function readStructure(format: ImageFormat, bytes: Buffer): ImageStructure {
  const plain = { isWhole: false, frames: 1, scans: 1, isLossless: false };
  switch (format) {
    case 'jpeg':
      return { ...plain, ...readJpeg(bytes) };
    case 'png':
      return { ...plain, isWhole: isWholePng(bytes) };
    case 'gif':
      return { ...plain, ...readGif(bytes) };
    case 'webp':
      return { ...plain, ...readWebp(bytes) };
  }
}

/** Reads past the end return 0, which no format continues with. */
function byteAt(bytes: Buffer, at: number): number {
  return bytes[at] ?? 0;
}

function readJpeg(bytes: Buffer) {
  let scans = 0;
  let at = 2;
  while (at < bytes.length) {
    const marker = bytes[at] === 0xff ? byteAt(bytes, at + 1) : 0;
    if (marker === 0xd9) return { isWhole: true, scans };
    if (marker === 0xda) scans += 1;
    const isSegment = marker >= 0xc0 && marker < 0xff && !(marker >= 0xd0 && marker <= 0xd7);
    at += isSegment ? 2 + byteAt(bytes, at + 2) * 256 + byteAt(bytes, at + 3) : 1;
  }
  return { isWhole: false, scans };
}

function isWholePng(bytes: Buffer): boolean {
  const end = 0x49454e44; // IEND
  for (let at = 8; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    if (bytes.readUInt32BE(at + 4) === end) return true;
  }
  return false;
}

function readGif(bytes: Buffer) {
  const colours = (flags: number) => ((flags & 0x80) === 0 ? 0 : 3 << ((flags & 7) + 1));
  let frames = 0;
  let at = 13 + colours(byteAt(bytes, 10));
  for (;;) {
    const block = byteAt(bytes, at);
    if (block === 0x3b) return { isWhole: true, frames };
    if (block === 0x21) at += 2;
    else if (block === 0x2c) {
      frames += 1;
      at += 11 + colours(byteAt(bytes, at + 9));
    } else return { isWhole: false, frames };
    // The block's data: sub-blocks with a length, up to one of length 0.
    while (byteAt(bytes, at) !== 0) at += 1 + byteAt(bytes, at);
    at += 1;
  }
}

const animationFrame = Buffer.from('ANMF').readUInt32BE();
const lossless = Buffer.from('VP8L').readUInt32BE();

/** `isWhole` is left to the decoder, which enforces the length in the header. */
function readWebp(bytes: Buffer) {
  const nameAt = (at: number) => (at + 4 <= bytes.length ? bytes.readUInt32BE(at) : 0);
  let frames = 0;
  let isLossless = false;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const name = nameAt(at);
    if (name === animationFrame) frames += 1;
    // The picture follows the 16 bytes of position and duration of its frame.
    if (name === lossless || (name === animationFrame && nameAt(at + 24) === lossless)) isLossless = true;
    const size = bytes.readUInt32LE(at + 4);
    at += 8 + size + (size % 2);
  }
  return { isWhole: true, frames: Math.max(1, frames), isLossless };
}
