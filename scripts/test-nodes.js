// Runs some tests, or the given ones, on the other supported versions of Node.js, which are installed from the registry:
// npm run test:nodes [-- FILES…]
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const root = path.dirname(import.meta.dirname);
const versions = ['22.23.3', '24.21.0'];
const defaultTests = [
  'tests/lib',
  'tests/db/sql.test.ts',
  'tests/features/projects',
  'tests/features/auth',
  'tests/features/timer',
];
const files = process.argv.slice(2);
const tests = files.length > 0 ? files : defaultTests;

for (const version of versions) {
  const node = `node-${process.platform}-${process.arch}@${version}`;
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  process.stdout.write(`== Node.js ${version}\n`);
  const args = ['--yes', '--package', node, '--', 'node', vitest, 'run', ...tests];
  const { status } = spawnSync('npx', args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
