import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, expect } from 'vitest';
import { createImageProcessor } from '../../../../src/features/study/images/image-processor.ts';
import { ValidationError } from '../../../../src/texts/errors.ts';
import { pictures } from '../../../support/pictures.ts';

/** An image processor with a separate folder for each test. */
export function setUpImageProcessor(options: { concurrency?: number; secondsPerPicture?: number } = {}) {
  const processor = createImageProcessor({ concurrency: 2, secondsPerPicture: 120, waitSeconds: 600, ...options });
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'images-'));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const pathOf = (name: string) => join(folder, name);

  return {
    processor,
    pathOf,
    /** Processes these bytes; returns the result with its bytes and the decoder's metadata. */
    processed: async (bytes: Buffer, name = 'upload') => {
      await writeFile(pathOf(name), bytes);
      const image = await processor.process('user 1', pathOf(name));
      const output = await readFile(image.path);
      return { ...image, output, metadata: await sharp(output, { animated: true }).metadata() };
    },
    /** 'accepted', or the message key of the rejection; also checks that no file but the upload remains. */
    outcomeOf: async (bytes: Buffer, name = 'upload'): Promise<string> => {
      await writeFile(pathOf(name), bytes);
      const before = await readdir(folder);
      const error = await processor.process('user 1', pathOf(name)).then(
        () => undefined,
        (failure: unknown) => failure,
      );
      if (error === undefined) return 'accepted';
      expect(await readdir(folder)).toEqual(before);
      if (!(error instanceof ValidationError)) throw error;
      expect(error.details).toHaveLength(1);
      expect(error.details[0]?.field).toBe('image');
      return error.details[0]?.message.key ?? '';
    },
  };
}

/** Generates the test image of a kind. */
export function picture(kind: string): Promise<Buffer> {
  const make = pictures[kind];
  if (make === undefined) throw new Error(`no picture of kind ${kind}`);
  return make();
}
