import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import sharp, { type Metadata, type OutputInfo, type Sharp } from 'sharp';
import { ValidationError } from '../../errors.ts';
import { createSemaphore } from '../../lib/semaphore.ts';
import { detectFormat, type ImageFormat, imageFormats, isWhole } from './image-format.ts';

/** A picture ready to be stored: in a temporary file that the caller removes; size in pixels, of one frame. */
export type ProcessedImage = { path: string; extension: string; contentType: string; width: number; height: number };

export type ImageProcessor = ReturnType<typeof createImageProcessor>;

const maxMegapixels = 50;

/** Turns uploaded files into pictures that are safe to serve; at most `concurrency` are worked on at once. */
export function createImageProcessor({ concurrency }: { concurrency: number }) {
  // One thread a picture: together with the semaphore, uploads never take more than `concurrency` threads.
  sharp.concurrency(1);
  sharp.cache(false);
  const semaphore = createSemaphore(concurrency);

  /**
   * Re-encodes the picture in the file at `path` in its own format: upright, in sRGB, without metadata or anything
   * that was not picture, animations with all their frames. Writes beside it. Throws ValidationError for `image`.
   */
  async function process(path: string): Promise<ProcessedImage> {
    return semaphore.run(async () => {
      const { format, data, info } = await reencode(await readFile(path));
      const { extension, contentType } = imageFormats[format];
      const target = join(dirname(path), `${randomUUID()}.${extension}`);
      try {
        await writeFile(target, data);
      } catch (error) {
        await rm(target, { force: true });
        throw error;
      }
      return { path: target, extension, contentType, width: info.width, height: info.pageHeight ?? info.height };
    });
  }

  return { process };
}

async function reencode(bytes: Buffer): Promise<{ format: ImageFormat; data: Buffer; info: OutputInfo }> {
  const format = detectFormat(bytes);
  if (format === undefined) throw ValidationError.of('image', 'image_type');

  // 'error', not the stricter default: many phones write JPEGs that every browser shows and the decoder warns about.
  const options = { animated: true, failOn: 'error', limitInputPixels: false } as const;
  // Reads the header only, so a bomb is refused before any of its pixels exists.
  const header = await orBroken(sharp(bytes, options).metadata());
  if (header.format !== format) throw ValidationError.of('image', 'image_type');
  // With `animated`, the height is that of all frames together.
  if (header.width * header.height > maxMegapixels * 1_000_000) {
    throw ValidationError.of('image', 'image_too_many_pixels', { megapixels: maxMegapixels });
  }
  if (!isWhole(format, bytes)) throw ValidationError.of('image', 'image_broken');

  // An animation has no orientation that viewers would honour, and its frames cannot be turned in one piece.
  const isAnimated = (header.pages ?? 1) > 1;
  const picture = isAnimated ? sharp(bytes, options) : sharp(bytes, options).autoOrient();
  const { data, info } = await orBroken(encode(picture, format, header, bytes).toBuffer({ resolveWithObject: true }));
  return { format, data, info };
}

/** The efforts keep the largest picture that is let in at a few seconds; the defaults take five times as long. */
function encode(picture: Sharp, format: ImageFormat, header: Metadata, bytes: Buffer): Sharp {
  switch (format) {
    case 'jpeg':
      return picture.jpeg();
    case 'png':
      return picture.png({ palette: header.isPalette });
    case 'gif':
      return picture.gif();
    case 'webp':
      // The name of the lossless part; met by chance in other data it only makes the copy larger.
      return picture.webp(bytes.includes('VP8L') ? { lossless: true, effort: 0 } : { effort: 2 });
  }
}

async function orBroken<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch {
    throw ValidationError.of('image', 'image_broken');
  }
}
