import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { projectRoot } from '../../src/lib/project-root.ts';
import { createTestDatabase } from '../support/database.ts';
import { startServiceProcess, temporaryFolder } from '../support/service-process.ts';

type Step = { commands: string; shown: unknown };

/** The commands of a section, and the response shown below them, if any. */
async function readSteps(file: string, heading: string): Promise<Step[]> {
  const [, rest = ''] = (await readFile(path.join(projectRoot, file), 'utf8')).split(`## ${heading}\n`);
  const [tour = ''] = rest.split('\n## ');
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
    /^\d{4}-(\d\d-\d\d(T[\d:.]+Z)?|W\d\d)$|^"\d+"$|^ada-\d+$/.test(String(value)) ||
    /_days$|_streak$|^((today|week)_)?hours$|_today$/.test(name);
  return isTime ? typeof value : value;
}

test.each([
  ['README.md', 'Three requests', 1],
  ['docs/guide.md', 'A two-minute tour of the API', 7],
])('the commands in %s, %s, return the responses shown', async (file, heading, responsesShown) => {
  const folder = await temporaryFolder();
  const { url, drop } = await createTestDatabase({ poolSize: 1 });
  onTestFinished(drop);
  const service = await startServiceProcess(folder, { DATABASE_URL: url, ADMIN_PASSWORD: 'correct horse battery' });
  const steps = await readSteps(file, heading);
  expect(steps.filter(({ shown }) => shown !== null)).toHaveLength(responsesShown);

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
    if (shown !== null) expect(withoutTimes(JSON.parse(response)), commands).toEqual(withoutTimes(shown));
  }
});
