import { execFile } from 'node:child_process';
import { chmod, cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { projectRoot } from '../../src/lib/project-root.ts';

const message = 'AssertionError: expected 1 to be 2\n    at tests/a.test.ts:1:1';
const report = {
  numPassedTests: 3,
  numFailedTests: 1,
  numTotalTests: 4,
  testResults: [
    {
      name: 'tests/a.test.ts',
      status: 'failed',
      message: '',
      assertionResults: [
        { status: 'passed', fullName: 'a one that passes', failureMessages: [] },
        { status: 'failed', fullName: 'a one that fails', failureMessages: [message] },
      ],
    },
    { name: 'tests/b.test.ts', status: 'failed', message: 'Cannot find module', assertionResults: [] },
    { name: 'tests/c.test.ts', status: 'passed', message: '', assertionResults: [] },
  ],
};

/** The report when a required program is missing. */
const allSkipped = { numPassedTests: 0, numFailedTests: 0, numTotalTests: 2, testResults: [] };

/** An npm whose lint fails, whose tests write the first report, and whose cluster tests write the other. */
const npm = `#!/bin/sh
[ "$*" = "run --silent lint" ] && exit 1
for word; do
  case $word in --outputFile.json=*)
    if [ "$2" = test ]; then cp report.json "\${word#*=}"; exit 1; fi
    [ "$2" = test:cluster ] && cp skipped.json "\${word#*=}"
  esac
done
exit 0
`;

test('CI repeats durations and failures at its end, before the totals', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'studytrack-ci-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(path.join(projectRoot, '.ci/run'), path.join(folder, '.ci/run'));
  await writeFile(path.join(folder, 'report.json'), JSON.stringify(report));
  await writeFile(path.join(folder, 'skipped.json'), JSON.stringify(allSkipped));
  const programs = { 'apt-get': '#!/bin/sh\n', npm };
  for (const [name, text] of Object.entries(programs)) {
    await writeFile(path.join(folder, name), text);
    await chmod(path.join(folder, name), 0o755);
  }
  await symlink(process.execPath, path.join(folder, 'node'));

  const run = promisify(execFile)('bash', ['.ci/run'], {
    cwd: folder,
    env: { PATH: `${folder}:${process.env['PATH']}`, HOME: folder },
  });
  const { code, stdout } = await run.then(
    () => ({ code: 0, stdout: '' }),
    (error: { code: number; stdout: string }) => error,
  );

  expect(code).toBe(1);
  const lines = stdout
    .trimEnd()
    .replaceAll(/ \d+ s$/gm, ' 0 s')
    .split('\n');
  expect(lines.slice(lines.lastIndexOf('== typecheck: 0 s'))).toEqual([
    '== typecheck: 0 s',
    '== FAILED: lint',
    '== lint: 0 s',
    '== boundaries: 0 s',
    '== lint:openapi: 0 s',
    '== deadcode: 0 s',
    '== build: 0 s',
    '== audit:production: 0 s',
    'FAILED tests/a.test.ts: a one that fails: AssertionError: expected 1 to be 2',
    'FAILED tests/b.test.ts: (the file itself): Cannot find module',
    '== tests on the embedded PostgreSQL: 3 passed, 1 failed, 0 s',
    '== FAILED: tests of the web application: no report',
    '== tests of the web application: 0 passed, 1 failed, 0 s',
    '== FAILED: faults: no report',
    '== faults: 0 passed, 1 failed, 0 s',
    '== cluster: 0 passed, 0 failed, 0 s',
    '== test:nodes: 0 s',
    '3 passed, 4 failed',
  ]);
});
