import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { Sent } from './memory.ts';

export type Received = { status: number; headers: IncomingHttpHeaders; type: string; text: string; body: unknown };

/** One of the random headers asks for a compressed response. */
const decoders: Record<string, (bytes: Buffer) => Buffer> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  deflate: inflateSync,
};

/** A client that sends requests no ordinary library would. */
export function createClient(origin: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const { hostname, port } = new URL(origin);

  /** Rejects if the connection is silent for a minute. */
  function send({ method, path, headers, body }: Sent): Promise<Received> {
    return new Promise((resolve, reject) => {
      const sent = request({ hostname, port, agent, method, path, headers, timeout: 60_000 });
      sent.once('timeout', () => sent.destroy(new Error('no response within a minute')));
      sent.once('error', reject);
      sent.once('response', (response) => {
        buffer(response)
          .then((bytes) => {
            const type = response.headers['content-type'] ?? '';
            const decode = decoders[response.headers['content-encoding'] ?? ''];
            const text = (decode?.(bytes) ?? bytes).toString();
            const body = type.includes('json') && text !== '' ? JSON.parse(text) : undefined;
            resolve({ status: response.statusCode ?? 0, headers: response.headers, type, text, body });
          })
          .catch(reject);
      });
      sent.end(body);
    });
  }

  return { send, close: () => agent.destroy() };
}
