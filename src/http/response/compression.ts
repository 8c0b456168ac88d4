import { promisify } from 'node:util';
import { constants, createGzip, type Gzip, gzip } from 'node:zlib';

/** Shorter bodies fit into one or two packets whether they are compressed or not. */
export const compressedFrom = 2048;
/** The higher levels save hardly more, and take two to four times as long (docs/decisions/0085-compression.md). */
const options = { level: constants.Z_BEST_SPEED };
/** Threads of zlib that may work at the same time, of the four that password hashing and files use as well. */
const maxActive = 2;
const maxStreams = 2;

const compress = promisify(gzip);

export type Compression = ReturnType<typeof createCompression>;

/** Compression of responses. When too much is being compressed, more is sent as it is: nothing ever waits for its turn. */
export function createCompression() {
  // By the bytes themselves: a response that is sent from the cache again is compressed once.
  const known = new WeakMap<Buffer, Buffer>();
  let active = 0;
  let streams = 0;

  return {
    /** The same in gzip; undefined when it is to be sent as it is. */
    async bytes(bytes: Buffer): Promise<Buffer | undefined> {
      const before = known.get(bytes);
      if (before !== undefined || bytes.length < compressedFrom || active >= maxActive) return before;
      active += 1;
      try {
        const compressed = await compress(bytes, options);
        known.set(bytes, compressed);
        return compressed;
      } finally {
        active -= 1;
      }
    },

    /** To pipe a response of unknown length through; undefined when it is to be sent as it is. */
    stream(): Gzip | undefined {
      if (streams >= maxStreams) return undefined;
      streams += 1;
      return createGzip(options).once('close', () => {
        streams -= 1;
      });
    },
  };
}
