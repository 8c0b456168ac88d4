import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { S3, S3ServiceException } from '@aws-sdk/client-s3';
import { UnavailableError } from '../../texts/errors.ts';
import { assertStorageName, isStorageName, type Storage } from './storage.ts';

export type S3Location = {
  endpoint: string;
  bucket: string;
  region: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
};

/**
 * Parses `s3://KEY:SECRET@host[:port]/bucket[?region=…]`, or `s3+http://` for HTTP, with percent-encoded key and secret. Error
 * messages never contain the secret.
 */
export function parseStorageUrl(text: string): S3Location {
  const fail = (reason: string): never => {
    throw new Error(`the storage URL ${reason}; it must look like s3://KEY:SECRET@host:port/bucket?region=us-east-1`);
  };
  const scheme = /^s3(\+http)?:\/\//.exec(text) ?? fail('must begin with s3:// or s3+http://');
  if (!URL.canParse(text)) fail('cannot be read (is the secret percent-encoded, / as %2F?)');
  const url = new URL(text);
  const credentials = { accessKeyId: decode(url.username), secretAccessKey: decode(url.password) };
  const [, bucket = '', ...rest] = decode(url.pathname).split('/');
  const unknown = [...url.searchParams.keys()].find((key) => key !== 'region');

  if (url.host === '') fail('names no host');
  if (credentials.accessKeyId === '' || credentials.secretAccessKey === '') fail('needs a key and a secret');
  if (bucket === '') fail('needs the name of a bucket as its path');
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    fail('has a bucket name that is not allowed: 3 to 63 of a-z, 0-9, "." and "-"');
  if (rest.some((segment) => segment !== '')) fail('must name a bucket only, without a folder');
  if (unknown !== undefined) fail(`has the unknown parameter ${JSON.stringify(unknown)}`);
  return {
    endpoint: `${scheme[1] === undefined ? 'https' : 'http'}://${url.host}`,
    bucket,
    region: url.searchParams.get('region') || 'us-east-1',
    credentials,
  };
}

/** Returns an empty text, which is not valid for any part, for undecodable text. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/** Unlike a folder. */
export const isUrl = (text: string) => text.includes('://');

/** Larger files are sent in parts of this size, of which the store accepts 10,000. */
const partSize = 8 * 1024 * 1024;

type Options = {
  url: string;
  folder: string;
  publicUrl?: string | undefined;
  /** Pictures, whose names are never used again, may be kept by everybody, backups and exports by nobody. */
  cacheControl: string;
};

/** Throws UnavailableError when the store is unreachable or fails; other errors are thrown unchanged. */
export function createS3Storage({ url, folder, publicUrl, cacheControl }: Options): Storage {
  const location = parseStorageUrl(url);
  const { bucket: Bucket } = location;
  const keyOf = (name: string) => `${folder}/${name}`;
  const base = publicUrl?.replace(/\/+$/, '');

  let connected: Promise<S3> | undefined;
  async function request<T>(call: (s3: S3) => Promise<T>): Promise<T> {
    connected ??= connect(location);
    const s3 = await connected;
    try {
      return await call(s3);
    } catch (error) {
      throw isOutage(error) ? Object.assign(new UnavailableError('storage_unavailable'), { cause: error }) : error;
    }
  }

  async function put(name: string, path: string, contentType: string): Promise<void> {
    assertStorageName(name);
    const object = { Bucket, Key: keyOf(name), ContentType: contentType, CacheControl: cacheControl };
    if ((await stat(path)).size > partSize) return putParts(object, path);
    // In memory, because a request with a stream cannot be retried.
    const Body = await readFile(path);
    await request((s3) => s3.putObject({ ...object, Body }));
  }

  /** The store has the object when it has all parts. */
  async function putParts(object: { Bucket: string; Key: string }, path: string): Promise<void> {
    const { UploadId } = await request((s3) => s3.createMultipartUpload(object));
    const upload = { Bucket, Key: object.Key, UploadId };
    const Parts: { ETag: string | undefined; PartNumber: number }[] = [];
    try {
      for await (const Body of createReadStream(path, { highWaterMark: partSize }) as AsyncIterable<Buffer>) {
        const PartNumber = Parts.length + 1;
        const { ETag } = await request((s3) => s3.uploadPart({ ...upload, PartNumber, Body }));
        Parts.push({ ETag, PartNumber });
      }
      await request((s3) => s3.completeMultipartUpload({ ...upload, MultipartUpload: { Parts } }));
    } catch (error) {
      await request((s3) => s3.abortMultipartUpload(upload)).catch(() => undefined);
      throw error;
    }
  }

  async function remove(name: string): Promise<void> {
    if (isStorageName(name)) await request((s3) => s3.deleteObject({ Bucket, Key: keyOf(name) }));
  }

  async function* list() {
    let ContinuationToken: string | undefined;
    do {
      const page = { Bucket, Prefix: keyOf(''), ...(ContinuationToken !== undefined && { ContinuationToken }) };
      const { Contents = [], NextContinuationToken } = await request((s3) => s3.listObjectsV2(page));
      for (const { Key, LastModified } of Contents) {
        const name = Key?.slice(keyOf('').length) ?? '';
        if (isStorageName(name) && LastModified !== undefined) yield { name, modifiedAt: LastModified };
      }
      ContinuationToken = NextContinuationToken;
    } while (ContinuationToken !== undefined);
  }

  async function open(name: string) {
    if (!isStorageName(name)) return undefined;
    const found = await request((s3) => s3.getObject({ Bucket, Key: keyOf(name) })).catch((error: unknown) => {
      if (error instanceof Error && error.name === 'NoSuchKey') return undefined;
      throw error;
    });
    if (found === undefined) return undefined;
    const { Body, ContentLength, LastModified } = found;
    if (!(Body instanceof Readable) || ContentLength === undefined || LastModified === undefined) {
      throw new Error('the store sent a response without a body, a length or a date');
    }
    return { size: ContentLength, modifiedAt: LastModified, stream: Body };
  }

  return {
    put,
    delete: remove,
    list,
    open,
    localPath: () => undefined,
    assertWritable: async () => void (await request((s3) => s3.headBucket({ Bucket }))),
    publicUrl: (name) => (base === undefined ? undefined : `${base}/${keyOf(name)}`),
  };
}

async function connect({ endpoint, region, credentials }: S3Location): Promise<S3> {
  // Eight lines before the output of each command on Node.js 20, for which the lock file has a version that runs there.
  // biome-ignore lint/style/noProcessEnv: the package has no other switch
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
  const { S3: Client } = await import('@aws-sdk/client-s3');
  return new Client({
    endpoint,
    region,
    credentials,
    forcePathStyle: true,
    maxAttempts: 2,
    // Some compatible stores reject the SDK's default checksums, or store them as part of a streamed file.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: 3_000,
      requestTimeout: 20_000,
      throwOnRequestTimeout: true,
      socketTimeout: 20_000,
    },
  });
}

function statusOf(error: unknown): number | undefined {
  return error instanceof Error ? (error as Partial<S3ServiceException>).$metadata?.httpStatusCode : undefined;
}

function isOutage(error: unknown): boolean {
  const status = statusOf(error);
  return status === undefined || status === 429 || status >= 500;
}
