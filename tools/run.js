// Runs a program of tools/package.json: node tools/run.js knip
// They are installed when one is first used, so that `npm ci` is small for those who want to see the service. Two processes must not
// install them at once: without a name they are installed only, which comes before tests that run side by side.
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import path from 'node:path';

const file = (/** @type {string} */ name) => path.join(import.meta.dirname, name);
const changed = (/** @type {string} */ name) => statSync(file(name), { throwIfNoEntry: false })?.mtimeMs ?? 0;

const [name = '', ...args] = process.argv.slice(2);
if (changed('node_modules/.package-lock.json') < changed('package-lock.json')) {
  process.stderr.write('Installing the programs of tools/package.json…\n');
  const { status } = spawnSync('npm', ['ci', '--silent'], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0) {
    process.stderr.write('The installation failed; see: npm ci --prefix tools\n');
    process.exit(1);
  }
}
if (name === '') process.exit();
const { status, error } = spawnSync(file(`node_modules/.bin/${name}`), args, {
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
if (error !== undefined) process.stderr.write(`${error.message}\n`);
process.exitCode = status ?? 1;
