// Runs some tests, or the given ones, on the other supported versions of Node.js, which are installed from the registry:
// npm run test:nodes [-- FILES…]
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const root = path.dirname(import.meta.dirname);
const versions = ['22.23.3', '24.21.0'];
const defaultTests = [
  'tests/lib',
  'tests/db/sql.test.ts',
  'tests/features/study/projects',
  'tests/features/accounts/auth',
  'tests/features/study/timer',
];
const files = process.argv.slice(2);
const tests = files.length > 0 ? files : defaultTests;

for (const version of versions) {
  const npx = ['--yes', '--package', `node-${process.platform}-${process.arch}@${version}`, '--', 'node'];
  const run = (...args) => spawnSync('npx', [...npx, ...args], { cwd: root, stdio: 'inherit' }).status;
  if (run('--version') !== 0) {
    process.stdout.write(`== Node.js ${version} cannot be installed: its tests are left out\n`);
    continue;
  }
  if (run('node_modules/vitest/vitest.mjs', 'run', ...tests) !== 0) process.exitCode = 1;
}
