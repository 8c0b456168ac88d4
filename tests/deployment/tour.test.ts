import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { projectRoot } from '../../src/project-root.ts';
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
    /^\d{4}-(\d\d-\d\d(T[\d:.]+Z)?|W\d\d)$|^"\d+"$|^[a-z]+-\d+$|^Class 3b \d+$/.test(String(value)) ||
    /_days$|_streak$|^((today|week)_)?hours$|_today$/.test(name);
  return isTime ? typeof value : value;
}

const password = 'correct horse battery';

async function startService() {
  const folder = await temporaryFolder();
  const { url, drop } = await createTestDatabase({ poolSize: 1 });
  onTestFinished(drop);
  const service = await startServiceProcess(folder, { DATABASE_URL: url, ADMIN_PASSWORD: password });
  return { folder, origin: service.origin };
}

/** Runs the steps in one shell, in which somebody types. */
async function runSteps(steps: Step[], { folder, origin }: { folder: string; origin: string }, typed: string) {
  const separator = '\u001e';
  const script = steps.map(({ commands }) => `${commands}\nprintf '${separator}'\n`).join('');
  const shell = spawn('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env: { PATH: process.env['PATH'], API: origin },
  });
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    shell[name].setEncoding('utf8').on('data', (text: string) => {
      written[name] += text;
    });
  shell.stdin.end(typed);
  const [code] = await once(shell, 'close');
  return { code, stderr: written.stderr, responses: written.stdout.split(separator).slice(0, -1) };
}

test.each([
  ['README.md', 'The API in three requests', 1],
  ['README.zh.md', '三个请求了解 API', 1],
  ['docs/guide.md', 'A two-minute tour of the API', 7],
])('the commands in %s, %s, return the responses shown, and can be repeated', async (file, heading, responsesShown) => {
  const service = await startService();
  const steps = await readSteps(file, heading);
  expect(steps.filter(({ shown }) => shown !== null)).toHaveLength(responsesShown);

  const { responses, ...end } = await runSteps(steps, service, `admin\n${password}\n`);
  expect(end).toEqual({ code: 0, stderr: '' });
  for (const [index, { commands, shown }] of steps.entries()) {
    const response = responses[index] ?? '';
    if (shown !== null) expect(withoutTimes(JSON.parse(response)), commands).toEqual(withoutTimes(shown));
  }
  expect(await runSteps(steps, service, `admin\n${password}\n`)).toMatchObject({ code: 0, stderr: '' });
});

test('commands of the README print the message of the service, and a password may have any characters', async () => {
  const service = await startService();
  const [first] = await readSteps('README.md', 'The API in three requests');
  const commands = `${first?.commands}post /api/projects '{"name":"x"}' | data id`;
  const { stderr } = await runSteps([{ commands, shown: null }], service, 'admin\na "wrong" \\ $(one)\n');
  expect(stderr).toMatch(/^The name or the password is wrong.*\nSign in first, /);
});
