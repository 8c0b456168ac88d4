import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { projectRoot } from '../../src/lib/project-root.ts';
import { createTestDatabase } from '../support/database.ts';
import { startServiceProcess, temporaryFolder } from '../support/service-process.ts';

type Step = { commands: string; shown: unknown };

/** The steps of the tour in the README: the commands, and the response shown below them, if any. */
async function readTour(): Promise<Step[]> {
  const readme = await readFile(path.join(projectRoot, 'README.md'), 'utf8');
  const [, tour = ''] = /## A two-minute tour\n(.*?)\n## /s.exec(readme) ?? [];
  const blocks = [...tour.matchAll(/```(\w+)\n(.*?)```/gs)].map(([, language, text = '']) => ({ language, text }));
  return blocks.flatMap(({ language, text }, index) => {
    const next = blocks[index + 1];
    return language === 'sh'
      ? [{ commands: text, shown: next?.language === 'json' ? JSON.parse(next.text) : null }]
      : [];
  });
}

/** Replaces values that depend on the time of the run by their types. */
function withoutTimes(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map((item) => withoutTimes(item));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutTimes(item, key)]));
  }
  const isTime =
    /^\d{4}-(\d\d-\d\d(T[\d:.]+Z)?|W\d\d)$|^"\d+"$/.test(String(value)) ||
    /_days$|_streak$|^((today|week)_)?hours$|_today$/.test(name);
  return isTime ? typeof value : value;
}

test('the commands of the README tour return the responses that the README shows', async () => {
  const folder = await temporaryFolder();
  const { url, drop } = await createTestDatabase({ poolSize: 1 });
  onTestFinished(drop);
  const service = await startServiceProcess(folder, { DATABASE_URL: url });
  const steps = await readTour();
  expect(steps.filter(({ shown }) => shown !== null)).toHaveLength(7);

  const separator = '\u001e';
  const script = steps.map(({ commands }) => `${commands}\nprintf '${separator}'\n`).join('');
  const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env: { PATH: process.env['PATH'], API: service.origin },
  });
  expect(stderr).toBe('');
  const responses = stdout.split(separator).slice(0, -1);
  for (const [index, { commands, shown }] of steps.entries()) {
    const response = responses[index] ?? '';
    expect(withoutTimes(response === '' ? null : JSON.parse(response)), commands).toEqual(withoutTimes(shown));
  }
});
