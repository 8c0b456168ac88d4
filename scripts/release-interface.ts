// The interface of a release, for comparing later versions with it: the API document, and what the client exports.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { projectRoot } from '../src/project-root.ts';

export type Interface<Document = unknown> = { document: Document; clientExports: string[] };

const fileOf = (version: string, root: string) =>
  path.join(root, `tests/fixtures/releases/${version}.interface.json.gz`);

export function readInterface<Document>(version: string, root = projectRoot): Interface<Document> {
  return JSON.parse(gunzipSync(readFileSync(fileOf(version, root))).toString());
}

export function presentInterface<Document>(): Interface<Document> {
  const read = (file: string) => readFileSync(path.join(projectRoot, file), 'utf8');
  const exported = read('client/src/index.ts').matchAll(/export (?:type )?\{([^}]*)\}/g);
  const names = [...exported]
    .flatMap(([, list = '']) => list.split(','))
    .map((name) => name.replace(/\btype\b/, '').trim());
  return { document: JSON.parse(read('docs/openapi.json')), clientExports: names.filter(Boolean).sort() };
}

export function keepInterface(version: string): void {
  writeFileSync(fileOf(version, projectRoot), gzipSync(JSON.stringify(presentInterface()), { level: 9 }));
}
