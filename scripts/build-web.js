// Builds the web application into dist/web, with a brotli and a gzip form of every file: node scripts/build-web.js
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

/** Whether dist/web was built from the sources as they are. */
export function isWebBuilt() {
  return existsSync(output) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === readStamp();
}

/** @param {string} file */
async function compress(file) {
  const bytes = await readFile(file);
  const forms = { br: await promisify(brotliCompress)(bytes), gz: await promisify(gzip)(bytes, { level: 9 }) };
  for (const [suffix, form] of Object.entries(forms))
    if (form.length < bytes.length * 0.95) await writeFile(`${file}.${suffix}`, form);
}

export async function buildWeb() {
  const stamp = readStamp();
  // biome-ignore lint/style/noProcessEnv: with any other value Vite would build React for development, twice as large
  process.env.NODE_ENV = 'production';
  const { build } = await import('vite');
  // Built aside and moved into place: a service that starts meanwhile reads the former files.
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
