// Runs a program of the sources from its compiled file: node scripts/run.js src/cli/main.ts migrate
// In a checkout it first compiles what has changed; where there are no sources, as in the image, it runs what is there.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { isWebBuilt } from './build-web.js';
import { readInputs, root } from './inputs.js';

const stampFile = path.join(root, 'dist/.sources.json');
const compiled = (/** @type {string} */ source) => path.join(root, 'dist', source.replace(/\.ts$/, '.js'));
const installed = (/** @type {string} */ name) => existsSync(path.join(root, 'node_modules', name));
const runNode = (/** @type {string[]} */ words) =>
  spawnSync(process.execPath, words, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] }).status;

function compileIfChanged() {
  const files = ['tsconfig.json', 'tsconfig.build.json', 'package-lock.json'];
  const sources = readInputs({ folders: ['src', 'migrations', 'seeds'], files, pattern: /\.ts$/ });
  const stamp = JSON.stringify(sources);
  const last = existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : '{}';
  if (stamp === last) return;
  if (!installed('typescript')) {
    process.stderr.write('The sources have changed and TypeScript is not installed; run: npm ci && npm run build\n');
    process.exit(1);
  }
  // The compiler leaves the output of removed sources behind, and a removed migration would still be applied.
  for (const name of Object.keys(JSON.parse(last))) if (!(name in sources)) rmSync(compiled(name), { force: true });
  const status = runNode(['node_modules/typescript/bin/tsc', '-b', 'tsconfig.build.json', '--noCheck']);
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(stampFile, stamp);
}

/** The service serves its interface also without the web application, so a build that fails does not keep it from starting. */
function buildWebIfChanged() {
  if (!installed('vite') || isWebBuilt()) return;
  if (runNode(['scripts/build-web.js']) !== 0) process.stderr.write('The web application could not be built.\n');
}

const [source = '', ...args] = process.argv.slice(2);
const isCheckout = existsSync(path.join(root, 'src'));
if (isCheckout) compileIfChanged();
if (isCheckout && source === 'src/server.ts') buildWebIfChanged();
const program = compiled(source);
process.setSourceMapsEnabled(true);
if (isCheckout) module.enableCompileCache?.(path.join(root, 'dist/.compile-cache')); // Node.js 22 and later
process.argv = [process.execPath, program, ...args]; // worker processes run the program itself
await import(pathToFileURL(program).href);
