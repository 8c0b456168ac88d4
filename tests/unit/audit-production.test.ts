import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { projectRoot } from '../../src/lib/project-root.ts';

/** Runs the audit with a response of npm. */
async function audit(response: string): Promise<{ code: number; stdout: string }> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'studytrack-audit-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(path.join(folder, 'response'), response);
  await writeFile(path.join(folder, 'npm'), `#!/bin/sh\ncat ${folder}/response\nexit 1\n`);
  await chmod(path.join(folder, 'npm'), 0o755);
  const run = promisify(execFile)(process.execPath, ['--import', 'tsx', 'scripts/audit-production.ts'], {
    cwd: projectRoot,
    env: { PATH: `${folder}:${process.env['PATH']}` },
  });
  return run.then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: { code: number; stdout: string }) => error,
  );
}

const found = (...severities: string[]) =>
  JSON.stringify({
    vulnerabilities: Object.fromEntries(
      severities.map((severity) => [severity, { name: `a-${severity}-one`, severity, range: '<2.0.0' }]),
    ),
  });

test('a severe vulnerability in a production dependency is an error, a minor one is not', async () => {
  expect(await audit(found('low', 'high', 'critical'))).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^high: a-high-one <2\.0\.0\ncritical: a-critical-one <2\.0\.0\n2 known/),
  });
  expect(await audit(found('low', 'moderate'))).toMatchObject({ code: 0, stdout: expect.stringMatching(/^0 known/) });
});

test('an unreachable registry is reported; a missing report is an error', async () => {
  const unreachable = await audit(JSON.stringify({ message: '405 Method Not Allowed', statusCode: 405 }));
  expect(unreachable).toMatchObject({ code: 0, stdout: expect.stringMatching(/^NOT CHECKED: .*405/) });
  expect(await audit('')).toMatchObject({ code: 1 });
});
