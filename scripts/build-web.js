// Builds the web application in dist/web, with brotli and gzip versions of the files: node scripts/build-web.js
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { readInputs, root } from './inputs.js';

const output = path.join(root, 'dist/web');
const stampFile = path.join(root, 'dist/.web.json');

function readStamp() {
  const files = ['package-lock.json', 'scripts/build-web.js', 'tsconfig.json'];
  return JSON.stringify(readInputs({ folders: ['web', 'client/src'], files, pattern: /\.\w+$/ }));
}

/** Whether dist/web was built from the current sources. */
export function isWebBuilt() {
  return existsSync(output) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === readStamp();
}

/** @param {string} file */
async function compress(file) {
  const bytes = await readFile(file);
  const encodings = { br: await promisify(brotliCompress)(bytes), gz: await promisify(gzip)(bytes, { level: 9 }) };
  for (const [suffix, encoded] of Object.entries(encodings))
    if (encoded.length < bytes.length * 0.95) await writeFile(`${file}.${suffix}`, encoded);
}

export async function buildWeb() {
  const stamp = readStamp();
  // biome-ignore lint/style/noProcessEnv: with other values Vite builds React for development, twice as large
  process.env.NODE_ENV = 'production';
  const { build } = await import('vite');
  // Built in another folder and renamed: a service that starts meanwhile reads the former files.
  const building = `${output}.${process.pid}`;
  await mkdir(path.dirname(output), { recursive: true });
  await build({
    configFile: path.join(root, 'web/vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: building, emptyOutDir: true },
  });
  const files = await readdir(building, { recursive: true, withFileTypes: true });
  await Promise.all(
    files.filter((file) => file.isFile()).map((file) => compress(path.join(file.parentPath, file.name))),
  );
  await rm(output, { recursive: true, force: true });
  await rename(building, output);
  await writeFile(stampFile, stamp);
}

if (process.argv[1] === import.meta.filename && !isWebBuilt()) await buildWeb();
