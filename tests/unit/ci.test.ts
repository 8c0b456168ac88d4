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

/** An npm whose lint fails, and whose tests leave that report. */
const npm = `#!/bin/sh
[ "$*" = "run --silent lint" ] && exit 1
for word; do case $word in --outputFile.json=*) cp report.json "\${word#*=}"; exit 1;; esac; done
exit 0
`;

test('what failed in CI is told once more at its end, before the sum', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'studytrack-ci-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(path.join(projectRoot, '.ci/run'), path.join(folder, '.ci/run'));
  await writeFile(path.join(folder, 'report.json'), JSON.stringify(report));
  for (const [name, text] of Object.entries({ npm, chromium: '#!/bin/sh\n' })) {
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
  const end = stdout.trimEnd().split('\n').slice(-4);
  expect(end).toEqual([
    '== FAILED: lint',
    'FAILED tests/a.test.ts: a one that fails: AssertionError: expected 1 to be 2',
    'FAILED tests/b.test.ts: (the file itself): Cannot find module',
    '3 passed, 2 failed',
  ]);
});
