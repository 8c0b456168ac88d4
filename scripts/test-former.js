// Runs the tests of a former version on the current schema, which must support it:
// npm run test:former [-- REVISION [FILES…]]; default: the last release tag before this commit.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const root = path.dirname(import.meta.dirname);
const [requested, ...files] = process.argv.slice(2);
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 30 }).trim();
const revision =
  requested ??
  spawnSync('git', ['describe', '--tags', '--abbrev=0', '--match=v*', 'HEAD^'], {
    cwd: root,
    encoding: 'utf8',
  }).stdout.trim();
if (revision === '') {
  process.stdout.write(
    'There is no release tag before this commit. Specify a revision: npm run test:former -- REVISION\n',
  );
  process.exit();
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'studytrack-former-'));
const run = (program, ...args) => spawnSync(program, args, { cwd: folder, stdio: 'inherit' }).status ?? 1;
try {
  process.stdout.write(
    `== ${revision} (${git('rev-parse', '--short', `${revision}^{commit}`)}) on the schema of this version\n`,
  );
  const archive = path.join(folder, 'former.tar');
  git('archive', '--output', archive, revision);
  if (run('tar', '-xf', archive) !== 0) process.exit(1);
  for (const schema of ['migrations', 'db']) {
    rmSync(path.join(folder, schema), { recursive: true });
    cpSync(path.join(root, schema), path.join(folder, schema), { recursive: true });
  }
  process.exitCode = run('npm', 'ci', '--no-audit', '--no-fund');
  if (process.exitCode === 0) {
    const vitest = path.join(folder, 'node_modules/vitest/vitest.mjs');
    const tests =
      files.length > 0 ? files : ['tests/features', 'tests/freshness', 'tests/contract/rights-at-commit.test.ts'];
    process.exitCode = run('node', vitest, 'run', ...tests.filter((file) => existsSync(path.join(folder, file))));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
