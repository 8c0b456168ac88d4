import { rm } from 'node:fs/promises';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { gifOf, noise, pictures, pngClaiming } from '../../../support/pictures.ts';
import { processTime, slowness } from '../../../support/processor-time.ts';
import { picture, setUpImageProcessor } from './image-processing.ts';

const { outcomeOf, pathOf } = setUpImageProcessor();

describe('rejected', () => {
  const cutKinds = Object.keys(pictures).filter((kind) => !/transparent|grey|cmyk|16-bit/.test(kind));
  test.each(cutKinds)('a truncated %s, at any length', async (kind) => {
    const bytes = await picture(kind);
    const lengths = [
      ...Array.from({ length: 40 }, (_, index) => Math.floor((bytes.length * index) / 40)),
      ...Array.from({ length: 16 }, (_, index) => bytes.length - 1 - index),
    ];
    const accepted: number[] = [];
    for (const length of lengths) {
      const key = await outcomeOf(bytes.subarray(0, length));
      if (key === 'accepted') accepted.push(bytes.length - length);
      else expect(key).toMatch(length < 12 ? /^image_(type|broken)$/ : /^image_broken$/);
    }
    expect(accepted).toEqual([]);
  });

  test('a png with a wrong checksum', async () => {
    const bytes = await picture('png');
    const middle = bytes.length >> 1;
    bytes[middle] = (bytes[middle] ?? 0) ^ 0xff;
    expect(await outcomeOf(bytes)).toBe('image_broken');
  });

  const bitmap = Buffer.alloc(54 + 12);
  bitmap.write('BM', 'latin1');
  bitmap.writeUInt32LE(bitmap.length, 2);
  bitmap.writeUInt32LE(54, 10);
  bitmap.writeUInt32LE(40, 14);
  bitmap.writeInt32LE(2, 18);
  bitmap.writeInt32LE(1, 22);
  bitmap.writeUInt32LE(0x0018_0001, 26);
  const others: Record<string, Buffer | Promise<Buffer>> = {
    'an empty file': Buffer.alloc(0),
    'a single byte': Buffer.from([0xff]),
    text: Buffer.from('just some text, long enough to be looked at'),
    svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'),
    html: Buffer.from('<!doctype html><html><body><script>alert(1)</script></body></html>'),
    pdf: Buffer.from('%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF'),
    exe: Buffer.concat([Buffer.from('MZ\x90\0\x03\0\0\0', 'latin1'), Buffer.alloc(500)]),
    bmp: bitmap,
    zip: Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), Buffer.alloc(100)]),
    tiff: noise(20, 20).tiff().toBuffer(),
    avif: noise(20, 20).avif({ effort: 0 }).toBuffer(),
    'another RIFF': Buffer.from('RIFF\x24\0\0\0WAVEfmt \x10\0\0\0', 'latin1'),
  };
  test.each(Object.keys(others))('%s, by its content', async (kind) => {
    const bytes = Buffer.from((await others[kind]) ?? '');
    for (const name of ['upload', 'photo.png', 'photo.jpg', 'photo.svg']) {
      expect(await outcomeOf(bytes, name)).toBe('image_type');
      await rm(pathOf(name));
    }
  });

  test.each(['GIF89a', '\xff\xd8\xff\xe0', '\x89PNG\r\n\x1a\n', 'RIFF\x30\0\0\0WEBP'])(
    'the signature %j followed by a script',
    async (start) => {
      const script = '/*<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>*/';
      expect(await outcomeOf(Buffer.from(start + script, 'latin1'))).toMatch(/^image_(broken|type)$/);
    },
  );

  test.each([
    ['png of 50,000 × 50,000', pngClaiming(50_000, 50_000)],
    ['gif of 200 frames of 1,000 × 1,000', gifOf(200, 1_000, 1_000)],
    ['gif of 2 frames of 65,535 × 65,535', gifOf(2, 65_535, 65_535)],
    // Generated with sharp: a single colour.
    [
      'webp of 16,383 × 16,383',
      Buffer.from('524946461c000000574542505650384c0f0000002ffebfff0f0710d1fffe0722a2ff0100', 'hex'),
    ],
  ])('a decompression bomb at low cost: %s', async (_name, bomb) => {
    expect(bomb.length).toBeLessThan(5_000);
    const memory = process.resourceUsage().maxRSS;
    const start = processTime();
    expect(await outcomeOf(bomb)).toBe('image_too_many_pixels');
    expect(processTime() - start).toBeLessThan(500 * slowness());
    expect(process.resourceUsage().maxRSS - memory).toBeLessThan(50_000); // kB
  });

  test('more than 50 megapixels, but not exactly 50', async () => {
    const solid = (height: number) =>
      sharp({ create: { width: 10_000, height, channels: 3, background: '#00f' } })
        .jpeg()
        .toBuffer();
    expect(await outcomeOf(await solid(5_001))).toBe('image_too_many_pixels');
    expect(await outcomeOf(await solid(5_000))).toBe('accepted');
    expect(await outcomeOf(gifOf(51, 1_000, 1_000), 'more')).toBe('image_too_many_pixels');
  });
});
