import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import sharp, { type OutputInfo, type Sharp } from 'sharp';
import { createFairQueue } from '../../../lib/fair-queue.ts';
import { ValidationError } from '../../../texts/errors.ts';
import { detectFormat, type ImageFormat, imageFormats, readStructure } from './image-structure.ts';

/** A picture ready to be stored, in a temporary file that the caller removes; width and height of one frame. */
export type ProcessedImage = { path: string; extension: string; contentType: string; width: number; height: number };

export type ImageProcessor = ReturnType<typeof createImageProcessor>;

/** Of an upload, and of what is stored: re-encoded without loss, a picture can grow a hundredfold. */
export const maxImageBytes = 5 * 1024 * 1024;
const maxMegapixels = 50;
const maxFrames = 500;
/** Attempts to make a picture smaller that would be stored larger than an upload may be. */
const maxReductions = 3;
const megabytes = maxImageBytes / 1024 ** 2;
// Encoders write about ten; the format allows thousands of a few bytes each.
const maxScans = 64;

type ImageProcessorOptions = {
  concurrency: number;
  /** Pictures that take longer are rejected; the largest valid ones take about three seconds. */
  secondsPerPicture?: number;
  /** Pictures that wait longer are rejected. */
  waitSeconds?: number;
};

/** Converts uploaded files to pictures that are safe to serve, one at a time per caller. */
export function createImageProcessor({ concurrency, secondsPerPicture = 10, waitSeconds = 15 }: ImageProcessorOptions) {
  // One thread per picture: with the queue, uploads never use more than `concurrency` threads.
  sharp.concurrency(1);
  sharp.cache(false);
  const queue = createFairQueue({ slots: concurrency, perCaller: 1, waitingPerCaller: 2, waitSeconds });

  /**
   * Re-encodes the picture at `path` in its own format: upright, in sRGB, without metadata or any other data,
   * animations with all frames. Writes to the same folder. Throws ValidationError for `image`, and RateLimitedError
   * or UnavailableError if it waits too long.
   */
  async function process(caller: string, path: string): Promise<ProcessedImage> {
    return queue.run(caller, async () => {
      const { format, data, info } = await reencode(await readFile(path), secondsPerPicture);
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

async function reencode(
  bytes: Buffer,
  seconds: number,
): Promise<{ format: ImageFormat; data: Buffer; info: OutputInfo }> {
  const format = detectFormat(bytes);
  if (format === undefined) throw ValidationError.of('image', 'image_type');
  const { isWhole, frames, scans, isLossless } = readStructure(format, bytes);
  assertFrames(frames);
  if (scans > maxScans) throw ValidationError.of('image', 'image_too_costly');
  if (!isWhole) throw ValidationError.of('image', 'image_broken');

  // 'error', not the stricter default: many phones write JPEGs that every browser shows but the decoder warns about.
  const options = { animated: true, failOn: 'error', limitInputPixels: false } as const;
  // Reads only the header, so that a decompression bomb is rejected before any pixel is decoded.
  const header = await decoded(sharp(bytes, options).metadata());
  if (header.format !== format) throw ValidationError.of('image', 'image_type');
  assertFrames(header.pages ?? 1);
  // With `animated`, the height is that of all frames together.
  if (header.width * header.height > maxMegapixels * 1_000_000) {
    throw ValidationError.of('image', 'image_too_many_pixels', { megapixels: maxMegapixels });
  }

  const deadline = Date.now() + seconds * 1000;
  const encodeAt = (width: number | undefined) => {
    const left = Math.ceil((deadline - Date.now()) / 1000);
    if (left <= 0) throw ValidationError.of('image', 'image_too_costly');
    const source = sharp(bytes, options).timeout({ seconds: left });
    // Viewers ignore the orientation of animations, whose frames cannot be rotated together.
    const upright = (header.pages ?? 1) > 1 ? source : source.autoOrient();
    const picture = width === undefined ? upright : upright.resize({ width });
    const encoded = encode(picture, format, { isLossless, isPalette: header.isPalette });
    return decoded(encoded.toBuffer({ resolveWithObject: true }));
  };
  let result = await encodeAt(undefined);
  for (let attempt = 0; result.data.length > maxImageBytes && attempt < maxReductions; attempt += 1) {
    const scale = 0.9 * Math.sqrt(maxImageBytes / result.data.length);
    result = await encodeAt(Math.max(1, Math.floor(result.info.width * scale)));
  }
  if (result.data.length > maxImageBytes) throw ValidationError.of('image', 'image_grows', { megabytes });
  return { format, ...result };
}

function assertFrames(frames: number): void {
  if (frames > maxFrames) throw ValidationError.of('image', 'image_too_many_frames', { frames: maxFrames });
}

/** With these efforts the largest accepted picture takes a few seconds; the defaults take five times as long. */
function encode(picture: Sharp, format: ImageFormat, kind: { isLossless: boolean; isPalette: boolean }): Sharp {
  switch (format) {
    case 'jpeg':
      return picture.jpeg();
    case 'png':
      return picture.png({ palette: kind.isPalette });
    case 'gif':
      return picture.gif();
    case 'webp':
      return picture.webp(kind.isLossless ? { lossless: true, effort: 0 } : { effort: 2 });
  }
}

async function decoded<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const isTimeout = error instanceof Error && error.message.startsWith('timeout:');
    throw ValidationError.of('image', isTimeout ? 'image_too_costly' : 'image_broken');
  }
}
