import { promisify } from 'node:util';
import { constants, createGzip, type Gzip, gzip } from 'node:zlib';

/** Shorter bodies fit into one or two packets anyway. */
export const minCompressedBytes = 2048;
/** Higher levels save little and take two to four times as long (docs/decisions/0085-compression.md). */
const options = { level: constants.Z_BEST_SPEED };
/** Of the four threads of the pool, which password hashing and file access use as well. */
const maxActive = 2;
const maxStreams = 2;

const compress = promisify(gzip);

export type Compression = ReturnType<typeof createCompression>;

/** Responses never wait for compression: beyond the limits they are sent uncompressed. */
export function createCompression() {
  // By identity: a cached response is compressed only once.
  const results = new WeakMap<Buffer, Buffer>();
  let active = 0;
  let streams = 0;

  return {
    /** Undefined: send it uncompressed. */
    async bytes(bytes: Buffer): Promise<Buffer | undefined> {
      const known = results.get(bytes);
      if (known !== undefined || bytes.length < minCompressedBytes || active >= maxActive) return known;
      active += 1;
      try {
        const compressed = await compress(bytes, options);
        results.set(bytes, compressed);
        return compressed;
      } finally {
        active -= 1;
      }
    },

    stream(): Gzip | undefined {
      if (streams >= maxStreams) return undefined;
      streams += 1;
      return createGzip(options).once('close', () => {
        streams -= 1;
      });
    },
  };
}
