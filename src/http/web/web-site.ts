import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { contentTag } from '../reply.ts';

type Encoding = 'br' | 'gzip';
export type WebFile = {
  type: string;
  encodings: Readonly<{ identity: Buffer } & Partial<Record<Encoding, Buffer>>>;
  etag: string;
};

export type WebSite = ReadonlyMap<string, WebFile>;

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.ico': 'image/x-icon',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** Reads all files into memory: requests do not access the file system, and no path can leave the folder. */
export function readWebSite(folder: string): WebSite {
  if (!existsSync(folder)) return new Map();
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.flatMap((name): [string, WebFile][] => {
    const type = types[path.extname(name)];
    return type === undefined
      ? []
      : [[`/${name.split(path.sep).join('/')}`, readEncodings(path.join(folder, name), type)]];
  });
  return new Map(files);
}

function readEncodings(file: string, type: string): WebFile {
  const identity = readFileSync(file);
  const encodings = {
    identity,
    ...(existsSync(`${file}.br`) && { br: readFileSync(`${file}.br`) }),
    ...(existsSync(`${file}.gz`) && { gzip: readFileSync(`${file}.gz`) }),
  };
  return { type, encodings, etag: contentTag(identity) };
}
