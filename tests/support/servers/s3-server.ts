import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

export type S3Server = {
  port: number;
  accessKey: string;
  secret: string;
  /** Puts a small object into the bucket without a request. */
  add(key: string): Promise<void>;
  stop(): Promise<void>;
};

/** An S3-compatible server in its own process, on a free port, with one empty bucket; over TLS with a certificate. */
export async function startS3Server(bucket: string, tls?: { key: string; cert: string }): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 's3-server-'));
  const program = createRequire(import.meta.url).resolve('s3rver/bin/s3rver.js');
  const certificate = tls === undefined ? [] : ['--key', tls.key, '--cert', tls.cert];
  const options = ['-s', '-a', '127.0.0.1', '-p', '0', '-d', directory, ...certificate, '--configure-bucket', bucket];
  // It encrypts the continuation tokens of listings with DES, which is in OpenSSL's legacy provider.
  const server = spawn(process.execPath, ['--openssl-legacy-provider', program, ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });

  for await (const line of createInterface(server.stdout)) {
    const port = /listening on .*:(\d+)/.exec(line)?.[1];
    if (port === undefined) continue;
    const stop = async () => {
      server.kill();
      await once(server, 'exit');
      await rm(directory, { recursive: true });
    };
    const add = async (key: string) => {
      const file = join(directory, bucket, `${key}._S3rver_object`);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, key);
    };
    return { port: Number(port), accessKey: 'S3RVER', secret: 'S3RVER', add, stop };
  }
  throw new Error('the S3 server did not start');
}
