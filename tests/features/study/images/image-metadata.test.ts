import sharp, { type Sharp } from 'sharp';
import { expect, test } from 'vitest';
import { noise, pngChunk } from '../../../support/pictures.ts';
import { picture, setUpImageProcessor } from './image-processing.ts';

const { processed } = setUpImageProcessor();

const withMetadata = (image: Sharp) =>
  image
    .withExif({
      IFD0: { Copyright: 'Somebody', Model: 'SecretPhone' },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '51/1 30/1 3230/100',
        GPSLongitudeRef: 'W',
        GPSLongitude: '0/1 7/1 4366/100',
      },
    })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><secret>SecretXmp</secret></x:xmpmeta>')
    .withIccProfile('p3');

test.each(['jpeg', 'png', 'webp'] as const)(
  'the metadata of a %s is removed, including the location',
  async (format) => {
    const bytes = await withMetadata(noise(60, 45)).toFormat(format).toBuffer();
    const before = await sharp(bytes).metadata();
    expect(before.exif?.includes('SecretPhone')).toBe(true);
    expect(before.xmp?.includes('SecretXmp')).toBe(true);
    expect(before.icc).toBeDefined();

    const { metadata, output } = await processed(bytes);
    expect(metadata.exif).toBeUndefined();
    expect(metadata.xmp).toBeUndefined();
    expect(metadata.icc).toBeUndefined();
    for (const trace of ['Secret', 'Exif', 'GPS', 'Somebody']) expect(output.includes(trace)).toBe(false);
  },
);

// The expected position of the stored image's red corner, by EXIF orientation.
const corners = [
  'top left',
  'top right',
  'bottom right',
  'bottom left',
  'top left',
  'top right',
  'bottom right',
  'bottom left',
];
test.each(corners.map((corner, index) => [index + 1, corner] as const))(
  'orientation %i is applied and removed: red at the %s',
  async (orientation, corner) => {
    const red = { create: { width: 20, height: 15, channels: 3, background: '#f00' } } as const;
    const bytes = await sharp({ create: { width: 60, height: 45, channels: 3, background: '#00f' } })
      .composite([{ input: red, left: 0, top: 0 }])
      .withMetadata({ orientation })
      .jpeg({ quality: 100 })
      .toBuffer();
    const { output, metadata, width, height } = await processed(bytes);
    expect([width, height]).toEqual(orientation > 4 ? [45, 60] : [60, 45]);
    expect(metadata.orientation).toBeUndefined();

    const left = corner.endsWith('left') ? 2 : width - 6;
    const top = corner.startsWith('top') ? 2 : height - 6;
    const { channels } = await sharp(
      await sharp(output).extract({ left, top, width: 4, height: 4 }).toBuffer(),
    ).stats();
    expect(channels[0]?.mean).toBeGreaterThan(230);
    expect(channels[2]?.mean).toBeLessThan(25);
  },
);

test('an animation with an orientation is accepted without applying it', async () => {
  const bytes = await noise(60, 45, 3).withMetadata({ orientation: 6 }).webp().toBuffer();
  expect((await sharp(bytes).metadata()).orientation).toBe(6);
  expect((await processed(bytes)).metadata).toMatchObject({ pages: 3, width: 60, pageHeight: 45 });
});

test('colours of another profile are converted, not reinterpreted', async () => {
  const green = sharp({ create: { width: 20, height: 20, channels: 3, background: '#3c8c5a' } });
  const { output } = await processed(await green.withIccProfile('p3').jpeg({ quality: 100 }).toBuffer());
  const { channels } = await sharp(output).stats();
  for (const [index, value] of [0x3c, 0x8c, 0x5a].entries()) {
    expect(Math.abs((channels[index]?.mean ?? 0) - value)).toBeLessThan(4);
  }
});

test.each(['jpeg', 'png', 'gif', 'webp'])('data hidden after or inside a %s is not stored', async (kind) => {
  const script = Buffer.from('<html><script>alert(1)</script></html>');
  const bytes = await picture(kind);
  const inside = {
    jpeg: () =>
      Buffer.concat([bytes.subarray(0, 2), Buffer.from([0xff, 0xfe, 0, script.length + 2]), script, bytes.subarray(2)]),
    png: () => Buffer.concat([bytes.subarray(0, 33), pngChunk('tEXt', script), bytes.subarray(33)]),
    gif: () =>
      Buffer.concat([bytes.subarray(0, -1), Buffer.from([0x21, 0xfe, script.length]), script, Buffer.from([0, 0x3b])]),
    webp: () => bytes,
  }[kind];
  const { output } = await processed(Buffer.concat([inside?.() ?? bytes, script]));
  expect(output.includes('script')).toBe(false);
});
