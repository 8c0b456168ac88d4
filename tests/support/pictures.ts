import sharp, { type Sharp } from 'sharp';

/** Incompressible noise, identical for each size. */
export function noise(width: number, height: number, frames = 1): Sharp {
  const data = Buffer.alloc(width * height * 3 * frames);
  let state = 1;
  for (let at = 0; at < data.length; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    data[at] = state >>> 24;
  }
  const pages = frames === 1 ? {} : { pageHeight: height };
  return sharp(data, { raw: { width, height: height * frames, channels: 3, ...pages } });
}

export const delays = [100, 250, 400];

/** One image of every accepted kind, 60 × 45 pixels. */
export const pictures: Record<string, () => Promise<Buffer>> = {
  jpeg: () => noise(60, 45).jpeg().toBuffer(),
  'progressive jpeg': () => noise(60, 45).jpeg({ progressive: true }).toBuffer(),
  'cmyk jpeg': () => noise(60, 45).toColourspace('cmyk').jpeg().toBuffer(),
  'grey jpeg': () => noise(60, 45).greyscale().jpeg().toBuffer(),
  png: () => noise(60, 45).png().toBuffer(),
  'interlaced png': () => noise(60, 45).png({ progressive: true }).toBuffer(),
  'palette png': () => noise(60, 45).png({ palette: true }).toBuffer(),
  'transparent png': () => noise(60, 45).ensureAlpha(0.5).png().toBuffer(),
  '16-bit png': () => noise(60, 45).toColourspace('rgb16').png().toBuffer(),
  gif: () => noise(60, 45).gif().toBuffer(),
  'animated gif': () => noise(60, 45, 3).gif({ delay: delays, loop: 2 }).toBuffer(),
  webp: () => noise(60, 45).webp().toBuffer(),
  'lossless webp': () => noise(60, 45).webp({ lossless: true }).toBuffer(),
  'transparent webp': () => noise(60, 45).ensureAlpha(0.5).webp().toBuffer(),
  'animated webp': () => noise(60, 45, 3).webp({ delay: delays, loop: 2 }).toBuffer(),
};

/** A PNG that claims a size but has almost no data; its checksums are valid. */
export function pngClaiming(width: number, height: number): Buffer {
  const size = Buffer.alloc(8);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', Buffer.concat([size, Buffer.from([8, 2, 0, 0, 0])])),
    pngChunk('IDAT', Buffer.from('789c030000000001', 'hex')),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}

/** A GIF of black frames: 15 bytes each, whatever their size claims to be. */
export function gifOf(frames: number, width: number, height: number): Buffer {
  const start = Buffer.from('GIF89a\0\0\0\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1');
  start.writeUInt16LE(width, 6);
  start.writeUInt16LE(height, 8);
  const frame = Buffer.from('2c0000000000000000000202440100', 'hex');
  frame.writeUInt16LE(width, 5);
  frame.writeUInt16LE(height, 7);
  return Buffer.concat([start, ...Array.from({ length: frames }, () => frame), Buffer.from([0x3b])]);
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 1) === 0 ? crc >>> 1 : 0xedb88320 ^ (crc >>> 1);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/** A WebP animation of black frames of one pixel: 48 bytes each. */
export async function webpOf(frames: number): Promise<Buffer> {
  const one = await noise(1, 1).webp({ lossless: true }).toBuffer();
  const frame = riffChunk('ANMF', Buffer.concat([Buffer.from(`${'00'.repeat(12)}0a000000`, 'hex'), one.subarray(12)]));
  const body = [
    Buffer.from('WEBP'),
    riffChunk('VP8X', Buffer.from('02'.padEnd(20, '0'), 'hex')),
    riffChunk('ANIM', Buffer.alloc(6)),
    ...Array.from({ length: frames }, () => frame),
  ];
  return riffChunk('RIFF', Buffer.concat(body));
}

function riffChunk(name: string, data: Buffer): Buffer {
  const head = Buffer.from(`${name}\0\0\0\0`, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

/** A square black progressive JPEG with one scan for the averages and up to 882 empty ones. */
export function jpegOfScans(width: number, others: number): Buffer {
  const blocks = Math.ceil(width / 8) ** 2;
  const size = Buffer.alloc(4);
  size.writeUInt16BE(width, 0);
  size.writeUInt16BE(width, 2);
  const table = (kind: number, symbol: number) => Buffer.from([kind, 1, ...Array<number>(15).fill(0), symbol]);
  // Runs of up to 32,767 empty blocks, 15 bits each.
  let bits = '';
  for (let left = blocks; left > 0; left -= 16_384) bits += `0${'0'.repeat(14)}`;
  const emptyScan = Buffer.alloc(Math.ceil(bits.length / 8));
  const scans = Array.from({ length: others }, (_, index) => {
    const band = 1 + (index % 63);
    const step = 13 - Math.floor(index / 63);
    const precision = step === 13 ? step : ((step + 1) << 4) | step;
    return Buffer.concat([jpegSegment(0xda, [1, 1, 0, band, band, precision]), emptyScan]);
  });
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    jpegSegment(0xdb, [0, ...Array<number>(64).fill(1)]),
    jpegSegment(0xc2, [8, ...size, 1, 1, 0x11, 0]),
    jpegSegment(0xc4, [...table(0, 0)]),
    jpegSegment(0xc4, [...table(0x10, 0xe0)]),
    jpegSegment(0xda, [1, 1, 0, 0, 0, 0]),
    Buffer.alloc(Math.ceil(blocks / 8)),
    ...scans,
    Buffer.from([0xff, 0xd9]),
  ]);
}

function jpegSegment(marker: number, data: readonly number[]): Buffer {
  return Buffer.from([0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 0xff, ...data]);
}
