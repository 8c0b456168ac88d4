import { writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import type { ImageFormat } from '../../../src/features/images/image-format.ts';
import { createImageProcessor } from '../../../src/features/images/image-processor.ts';
import { readStructure } from '../../../src/features/images/image-structure.ts';
import { gifOf, jpegOfScans, webpOf } from '../../support/pictures.ts';
import { processTime } from '../../support/processor-time.ts';
import { setUpImageProcessor } from './image-processing.ts';

const { refusal } = setUpImageProcessor();
const impatient = setUpImageProcessor({ secondsPerPicture: 1 });
const megabytes5 = 5 * 1024 * 1024;

/** Seconds of the processor. */
async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const start = processTime();
  await work();
  return (processTime() - start) / 1000;
}

describe('files that are small and would take long', () => {
  test('a WebP of 40,000 frames of one pixel is rejected before any decoder reads it', async () => {
    const bytes = await webpOf(40_000);
    expect(await secondsOf(async () => expect(await refusal(bytes)).toBe('image_too_many_frames'))).toBeLessThan(0.5);
  });

  test('a GIF of 1,000 frames of 200 × 200', async () => {
    expect(await refusal(gifOf(1_000, 200, 200))).toBe('image_too_many_frames');
  });

  test('a JPEG of hundreds of scans, each as much work as the whole picture', async () => {
    const bytes = jpegOfScans(7_000, 882);
    expect(bytes.length).toBeLessThan(300_000);
    expect(await secondsOf(async () => expect(await refusal(bytes)).toBe('image_too_costly'))).toBeLessThan(0.5);
  });

  test('as many frames and scans as are allowed are accepted', async () => {
    expect(await refusal(gifOf(500, 20, 20))).toBe('accepted');
    expect(await refusal(gifOf(501, 20, 20), 'more.gif')).toBe('image_too_many_frames');
    expect(await refusal(await webpOf(500), 'most.webp')).toBe('accepted');
    expect(await refusal(jpegOfScans(64, 63), 'most.jpg')).toBe('accepted');
    expect(await refusal(jpegOfScans(64, 64), 'more.jpg')).toBe('image_too_costly');
  });

  test('a picture that exceeds the time limit is rejected', async () => {
    const bytes = gifOf(200, 500, 499);
    expect(await impatient.refusal(bytes)).toBe('image_too_costly');
  });

  test('our own count of frames is the decoder’s', async () => {
    for (const bytes of [gifOf(7, 10, 10), await webpOf(7), await webpOf(1)]) {
      const { format, pages } = await sharp(bytes, { animated: true }).metadata();
      expect(readStructure(format as ImageFormat, bytes).frames).toBe(pages);
    }
  });
});

describe('the container is read in a few milliseconds, whatever 5 MB hold', () => {
  const filled = (head: string, pattern: number[]) => {
    const bytes = Buffer.alloc(megabytes5, Buffer.from(pattern));
    bytes.write(head, 'latin1');
    return bytes;
  };
  const emptyChunks = filled('RIFF\xf8\xff\x4f\0WEBPVP8X', [...Buffer.from('JUNK'), 0, 0, 0, 0]);
  emptyChunks.writeUInt32LE(0, 16);
  const files: Record<string, [ImageFormat, Buffer]> = {
    'a GIF of data in pieces of one byte': ['gif', filled('GIF89a\0\0\0\0\0\0\0!', [1])],
    'a GIF of empty extensions': ['gif', filled('GIF89a\0\0\0\0\0\0\0', [0, 0x21, 0])],
    'a JPEG without markers': ['jpeg', filled('\xff\xd8\xff', [0])],
    'a JPEG of fill bytes': ['jpeg', filled('\xff\xd8\xff', [0xff])],
    'a JPEG of empty segments': ['jpeg', filled('\xff\xd8', [0, 2, 0xff, 0xe0])],
    'a PNG of empty chunks': ['png', filled('\x89PNG\r\n\x1a\n', [0])],
    'a WebP of empty chunks': ['webp', emptyChunks],
  };
  test.each(Object.keys(files))('%s', (name) => {
    const [format, bytes] = files[name] ?? ['png', Buffer.alloc(0)];
    const times = Array.from({ length: 3 }, () => {
      const start = process.cpuUsage();
      readStructure(format, bytes);
      return process.cpuUsage(start).user / 1000;
    });
    // 10 to 25 ms; CPU time and the best of three, so that what else runs does not count.
    expect(Math.min(...times)).toBeLessThan(100);
  });
});

describe('turns', () => {
  test('of one caller one picture at a time and two more that wait; another caller is served meanwhile', async () => {
    const path = impatient.pathOf('turns.gif');
    await writeFile(path, gifOf(200, 300, 300));
    const processor = createImageProcessor({ concurrency: 2, secondsPerPicture: 120, waitSeconds: 600 });
    const order: string[] = [];
    const send = (caller: string) =>
      processor.process(caller, path).then(
        () => order.push(caller),
        (error: { code?: string }) => order.push(`${caller} ${error.code}`),
      );
    const greedy = Array.from({ length: 6 }, () => send('greedy'));
    await delay(1);
    await send('patient');
    expect(order.filter((line) => line === 'greedy').length).toBeLessThan(3);
    await Promise.all(greedy);
    expect(order.filter((line) => line === 'greedy RATE_LIMITED')).toHaveLength(3);
    expect(order.filter((line) => line === 'greedy')).toHaveLength(3);
  });
});
