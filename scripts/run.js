// Runs the compiled file of a source file: node scripts/run.js src/cli/main.ts migrate
// In a checkout it first compiles changed sources.
import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import module from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { isWebBuilt } from './build-web.js';
import { isCompiled, isUpToDate, markCompiled } from './compiled.js';
import { root } from './inputs.js';
import { removeStaleOutput } from './remove-stale.js';

const compiled = (/** @type {string} */ source) => path.join(root, 'dist', source.replace(/\.ts$/, '.js'));
const installed = (/** @type {string} */ name) => existsSync(path.join(root, 'node_modules', name));
const runNode = (/** @type {string[]} */ args) =>
  new Promise((resolve) => {
    spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] }).once('exit', resolve);
  });

/** Files are translated one by one: without types of imports, in half the time. */
const onlyEmit = ['--noCheck', '--noResolve', '--incremental', 'false', '--tsBuildInfoFile', 'null'];

async function compileIfChanged() {
  if (isUpToDate()) return;
  if (!installed('typescript')) {
    if (isCompiled()) return; // built elsewhere, or before the development packages were removed
    process.stderr.write(
      'The service is not compiled, and TypeScript is not installed; run: npm ci --include=dev && npm run build\n',
    );
    process.exit(1);
  }
  assertOutputWritable();
  removeStaleOutput();
  process.stderr.write('Compiling the service…\n');
  const status = await runNode(['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', ...onlyEmit]);
  if (status !== 0) process.exit(status ?? 1);
  markCompiled();
}

/** The compiler would report every file. */
function assertOutputWritable() {
  const output = path.join(root, 'dist');
  try {
    mkdirSync(output, { recursive: true });
    accessSync(output, constants.W_OK);
  } catch {
    process.stderr.write(
      `This user cannot write to ${output}.\nRun it as the owner of the folder, or change the owner: sudo chown -R "$USER" '${root}'\n`,
    );
    process.exit(1);
  }
}

/** A failed build does not stop the start, because the API works without the web application. */
async function buildWebIfChanged() {
  if (!installed('vite') || isWebBuilt()) return;
  process.stderr.write('Building the web application…\n');
  if ((await runNode(['scripts/build-web.js'])) !== 0) process.stderr.write('Building the web application failed.\n');
}

const [source = '', ...args] = process.argv.slice(2);
const isCheckout = existsSync(path.join(root, 'src'));
// Together: each of them uses one core.
if (isCheckout) await Promise.all([compileIfChanged(), source === 'src/server.ts' && buildWebIfChanged()]);
const program = compiled(source);
process.setSourceMapsEnabled(true);
if (isCheckout) module.enableCompileCache?.(path.join(root, 'dist/.compile-cache')); // Node.js 22 and later
process.argv = [process.execPath, program, ...args]; // for worker processes
await import(pathToFileURL(program).href);
