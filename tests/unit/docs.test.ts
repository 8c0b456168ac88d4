import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../src/lib/project-root.ts';

const folder = path.join(projectRoot, 'docs/decisions');
const format =
  /^# (?<number>\d{4})\. (?<title>.+)\n\n- Status: (?<status>(?:accepted|superseded).*)\n- Date: (?<date>\d{4}-\d\d-\d\d)\n\n## Context\n\n[\s\S]+\n## Decision\n\n[\s\S]+\n## Consequences\n\n[\s\S]+$/;

const files = (await readdir(folder)).filter((name) => name !== 'README.md').sort();

test('every decision has a unique number, a title, a status, a date and the three sections, and is in the index', async () => {
  const index = await readFile(path.join(folder, 'README.md'), 'utf8');
  const rows = await Promise.all(
    files.map(async (file) => {
      const { number, title, status, date } =
        format.exec(await readFile(path.join(folder, file), 'utf8'))?.groups ?? {};
      return file.startsWith(`${number}-`)
        ? `| [${number}](${file}) | ${title} | ${status} | ${date} |`
        : `${file}: other format`;
    }),
  );
  expect(index.split('\n').filter((line) => /^\| \[/.test(line))).toEqual(rows);
  expect(new Set(files.map((file) => file.slice(0, 4))).size).toBe(files.length);
});

test('every file mentioned in README, CONTRIBUTING and decisions exists', async () => {
  const pages = ['README.md', 'CONTRIBUTING.md', ...files.map((file) => `docs/decisions/${file}`)];
  const mentioned = await Promise.all(
    pages.map(async (page) => {
      const text = await readFile(path.join(projectRoot, page), 'utf8');
      const paths = text.matchAll(/`((?:src|db|tests|scripts|docs|bench|web|assets)\/[\w./-]*[\w/])`/g);
      const links = text.matchAll(/\]\((?!https?:|#)([^)#]+)/g);
      return [
        ...[...paths].map(([, file = '']) => file),
        ...[...links].map(([, file = '']) => path.join(path.dirname(page), file)),
      ].map((file) => ({ page, file }));
    }),
  );
  const missing = mentioned
    .flat()
    .filter(({ file }) => !file.includes('NNNN') && !existsSync(path.join(projectRoot, file)));
  expect(missing).toEqual([]);
});

test('every operation mentioned in README and docs/client.md is in the API document', async () => {
  const read = (file: string) => readFile(path.join(projectRoot, file), 'utf8');
  const { paths } = JSON.parse(await read('docs/openapi.json'));
  const text = (await read('README.md')) + (await read('docs/client.md'));
  const calls = [
    ...text.matchAll(/client\.(get|post|put|delete|download)\('([^']+)'/g),
    ...text.matchAll(/`(GET|POST|PUT|DELETE) (\/api\/[\w/{}-]+)/g),
  ].map(([, method = '', url = '']) => [method.toLowerCase().replace('download', 'get'), url]);
  expect(calls.length).toBeGreaterThan(20);
  expect(calls.filter(([method = '', url = '']) => paths[url]?.[method] === undefined)).toEqual([]);
});

test('the changelog, the client and the API document have the version of package.json', async () => {
  const read = (file: string) => readFile(path.join(projectRoot, file), 'utf8');
  const { version } = JSON.parse(await read('package.json'));
  expect(JSON.parse(await read('client/package.json')).version).toBe(version);
  expect(JSON.parse(await read('docs/openapi.json')).info.version).toBe(version);
  const [, newest] = /^## \[(\d[^\]]*)\] - \d{4}-\d\d-\d\d$/m.exec(await read('CHANGELOG.md')) ?? [];
  expect(newest).toBe(version);
});
