import { writeFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { delays, noise, pictures } from '../../../support/pictures.ts';
import { slowness, watchEventLoop } from '../../../support/processor-time.ts';
import { picture, setUpImageProcessor } from './image-processing.ts';

const concurrency = 2;
const { processor, processed, outcomeOf, pathOf } = setUpImageProcessor({ concurrency });

describe('every accepted format', () => {
  const contentTypes = { jpg: 'image/jpeg', png: 'image/png', gif: 'image/gif', webp: 'image/webp' };

  test.each(Object.keys(pictures))('%s keeps its format and size', async (kind) => {
    const image = await processed(await picture(kind));
    const extension = /jpeg|png|gif|webp/.exec(kind)?.[0].replace('jpeg', 'jpg');
    expect(image.extension).toBe(extension);
    expect(contentTypes).toHaveProperty(image.extension, image.contentType);
    expect(image.path.endsWith(`.${image.extension}`)).toBe(true);
    expect([image.width, image.height]).toEqual([60, 45]);
    expect(image.metadata.mediaType).toBe(image.contentType);
    expect(image.metadata.space).toMatch(/^(srgb|b-w)$/);
  });

  test.each(['animated gif', 'animated webp'])('%s keeps its frames, delays and loops', async (kind) => {
    const { metadata, width, height } = await processed(await picture(kind));
    expect(metadata).toMatchObject({ pages: 3, delay: delays, loop: 2, width: 60, pageHeight: 45 });
    expect([width, height]).toEqual([60, 45]);
  });

  test.each(['png', 'palette png', 'transparent png', 'lossless webp'])('%s keeps every pixel', async (kind) => {
    const bytes = await picture(kind);
    const { output } = await processed(bytes);
    const pixels = (file: Buffer) => sharp(file).ensureAlpha().raw().toBuffer();
    expect((await pixels(output)).equals(await pixels(bytes))).toBe(true);
  });

  test('palettes and partial transparency are preserved', async () => {
    expect((await processed(await picture('palette png'))).metadata.isPalette).toBe(true);
    const { output } = await processed(await picture('transparent webp'), 'other');
    const { channels } = await sharp(output).stats();
    expect(channels[3]?.mean).toBeGreaterThan(120);
    expect(channels[3]?.mean).toBeLessThan(135);
  });

  test('the file name is ignored: a png named .jpg is a png', async () => {
    expect((await processed(await picture('png'), 'photo.jpg')).extension).toBe('png');
  });

  test('a photo with deviations that cameras produce and browsers accept is accepted', async () => {
    const bytes = await picture('jpeg');
    const tables = bytes.indexOf(Buffer.from([0xff, 0xc4]));
    const padded = Buffer.concat([bytes.subarray(0, tables), Buffer.alloc(4), bytes.subarray(tables)]);
    expect(await outcomeOf(padded)).toBe('accepted');

    const scan = bytes.indexOf(Buffer.from([0xff, 0xda]));
    bytes[scan + 6 + 2 * (bytes[scan + 4] ?? 0)] = 0; // some phones write a wrong spectral selection
    expect(await outcomeOf(bytes)).toBe('accepted');
  });
});

test('an unreadable file is not a validation error', async () => {
  await expect(processor.process('user 1', pathOf('absent'))).rejects.toMatchObject({ code: 'ENOENT' });
});

test('of many uploads few are decoded concurrently, the event loop is not blocked, and all succeed', async () => {
  const photo = await noise(2_000, 1_500).jpeg({ quality: 60 }).toBuffer();
  const paths = Array.from({ length: 20 }, (_, index) => pathOf(`upload-${index}`));
  for (const path of paths) await writeFile(path, photo);

  // Images of earlier tests, also of other files, may still be in progress.
  await expect.poll(() => sharp.counters()).toEqual({ queue: 0, process: 0 });
  let done = false;
  const eventLoop = watchEventLoop();
  const work = Promise.all(paths.map((path, index) => processor.process(`user ${index}`, path))).finally(() => {
    done = true;
  });
  let most = 0;
  while (!done) {
    // Without `queue`: an image that leaves it between the two reads would count twice.
    most = Math.max(most, sharp.counters().process);
    await setTimeout(1);
  }
  const images = await work;
  eventLoop.stop();

  expect(new Set(images.map(({ path }) => path)).size).toBe(20);
  expect(most).toBe(concurrency);
  expect(eventLoop.longest()).toBeLessThan(250 * slowness());
});
