import { writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { createImageProcessor } from '../../../../src/features/study/images/image-processor.ts';
import { type ImageFormat, readStructure } from '../../../../src/features/study/images/image-structure.ts';
import { gifOf, jpegOfScans, pngChunk, webpOf } from '../../../support/pictures.ts';
import { processTime, slowness } from '../../../support/processor-time.ts';
import { setUpImageProcessor } from './image-processing.ts';

const { outcomeOf, processed } = setUpImageProcessor();
const shortTimeout = setUpImageProcessor({ secondsPerPicture: 1 });
const fiveMegabytes = 5 * 1024 * 1024;

/** CPU time in seconds. */
async function cpuSecondsOf(work: () => Promise<unknown>): Promise<number> {
  const start = processTime();
  await work();
  return (processTime() - start) / 1000;
}

describe('small files that are expensive to decode', () => {
  test('a WebP with 40,000 frames of one pixel is rejected before decoding', async () => {
    const bytes = await webpOf(40_000);
    expect(await cpuSecondsOf(async () => expect(await outcomeOf(bytes)).toBe('image_too_many_frames'))).toBeLessThan(
      0.5 * slowness(),
    );
  });

  test('a GIF with 1,000 frames of 200 × 200 is rejected', async () => {
    expect(await outcomeOf(gifOf(1_000, 200, 200))).toBe('image_too_many_frames');
  });

  test('a JPEG with hundreds of scans, each as expensive as the whole image, is rejected', async () => {
    const bytes = jpegOfScans(7_000, 882);
    expect(bytes.length).toBeLessThan(300_000);
    expect(await cpuSecondsOf(async () => expect(await outcomeOf(bytes)).toBe('image_too_costly'))).toBeLessThan(
      0.5 * slowness(),
    );
  });

  test('the maximum number of frames and scans is accepted', async () => {
    expect(await outcomeOf(gifOf(500, 20, 20))).toBe('accepted');
    expect(await outcomeOf(gifOf(501, 20, 20), 'more.gif')).toBe('image_too_many_frames');
    expect(await outcomeOf(await webpOf(500), 'most.webp')).toBe('accepted');
    expect(await outcomeOf(jpegOfScans(64, 63), 'most.jpg')).toBe('accepted');
    expect(await outcomeOf(jpegOfScans(64, 64), 'more.jpg')).toBe('image_too_costly');
  });

  test('an image that exceeds the time limit is rejected', async () => {
    const bytes = gifOf(200, 500, 499);
    expect(await shortTimeout.outcomeOf(bytes)).toBe('image_too_costly');
  });

  test('the counted frames equal those of the decoder', async () => {
    for (const bytes of [gifOf(7, 10, 10), await webpOf(7), await webpOf(1)]) {
      const { format, pages } = await sharp(bytes, { animated: true }).metadata();
      expect(readStructure(format as ImageFormat, bytes).frames).toBe(pages);
    }
  });
});

describe('the container of any 5 MB is read in a few milliseconds', () => {
  const filled = (head: string, pattern: number[]) => {
    const bytes = Buffer.alloc(fiveMegabytes, Buffer.from(pattern));
    bytes.write(head, 'latin1');
    return bytes;
  };
  const emptyChunks = filled('RIFF\xf8\xff\x4f\0WEBPVP8X', [...Buffer.from('JUNK'), 0, 0, 0, 0]);
  emptyChunks.writeUInt32LE(0, 16);
  const files: Record<string, [ImageFormat, Buffer]> = {
    'a GIF of one-byte data blocks': ['gif', filled('GIF89a\0\0\0\0\0\0\0!', [1])],
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
    // Minimum CPU time of three runs, to exclude other load.
    expect(Math.min(...times)).toBeLessThan(50 * slowness());
  });
});

describe('a picture that grows when it is re-encoded', () => {
  /** Compresses well with the row filter that it was written with, and hardly without. */
  function filteredPng(side: number): Buffer {
    const period = 3001;
    let state = 1;
    const residuals = Array.from({ length: period }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state >>> 24;
    });
    const width = side * 3 + 1;
    const data = Buffer.alloc(width * side);
    for (let at = 0; at < data.length; at += 1) data[at] = at % width === 0 ? 1 : (residuals[at % period] ?? 0);
    const size = Buffer.alloc(13);
    size.writeUInt32BE(side, 0);
    size.writeUInt32BE(side, 4);
    size.set([8, 2], 8);
    return Buffer.concat([
      Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
      ...[pngChunk('IHDR', size), pngChunk('IDAT', deflateSync(data)), pngChunk('IEND', Buffer.alloc(0))],
    ]);
  }

  test('is stored with fewer pixels, and never larger than an upload may be', async () => {
    const bytes = filteredPng(2500);
    expect(bytes.length).toBeLessThan(1_000_000);
    const { output, metadata, width } = await processed(bytes);
    expect(output.length).toBeLessThanOrEqual(fiveMegabytes);
    expect(metadata).toMatchObject({ format: 'png', width });
    expect(width).toBeLessThan(2500);
  });
});

describe('fairness', () => {
  test('a caller has one image in progress and two waiting; other callers are served meanwhile', async () => {
    const path = shortTimeout.pathOf('turns.gif');
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
