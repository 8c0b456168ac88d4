import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../src/project-root.ts';

const read = (file: string) => readFile(path.join(projectRoot, file), 'utf8');
const filesIn = async (folder: string, ending: string) =>
  (await readdir(path.join(projectRoot, folder), { recursive: true }))
    .filter((file) => file.endsWith(ending))
    .map((file) => path.join(folder, file));
const documents = [
  'README.md',
  'README.zh.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'bench/README.md',
  'mcp/README.md',
  ...(await filesIn('docs', '.md')),
];
const texts = new Map(await Promise.all(documents.map(async (file) => [file, await read(file)] as const)));
const found = (pattern: RegExp) =>
  [...texts].flatMap(([file, text]) => [...text.matchAll(pattern)].map(([, ...parts]) => ({ file, parts })));

test('every file that a document links to or mentions exists', () => {
  const links = found(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g).map(({ file, parts: [target = ''] }) => ({
    file,
    target: path.join(path.dirname(file), target),
  }));
  // Also in the short form of docs/security-asvs.md, without `tests/`.
  const tests = found(/`(?:tests\/)?([\w/-]+\.test\.ts)`/g);
  const paths = found(/`((?:src|tests|scripts|docs|bench|web|assets|migrations)\/[\w./-]*\w)`/g);
  const mentions = [
    ...links,
    ...tests.map(({ file, parts: [target = ''] }) => ({ file, target: path.join('tests', target) })),
    ...paths.map(({ file, parts: [target = ''] }) => ({ file, target })),
  ];
  expect(mentions.length).toBeGreaterThan(100);
  const isMissing = ({ target }: { target: string }) =>
    !target.includes('NNNN') && !existsSync(path.join(projectRoot, target));
  expect(mentions.filter(isMissing)).toEqual([]);
});

test('every test whose name a document quotes exists', async () => {
  const quotes = found(/`(?:tests\/)?([\w/-]+\.test\.ts)`\s\(("[^)]*")\)/g).flatMap(
    ({ parts: [file = '', names = ''] }) =>
      [...names.replaceAll(/\s+/g, ' ').matchAll(/"([^"]+)"/g)].map(([, name = '']) => ({ file, name })),
  );
  expect(quotes.length).toBeGreaterThan(20);
  const isMissing = await Promise.all(
    quotes.map(async ({ file, name }) => !(await read(path.join('tests', file))).includes(name)),
  );
  expect(quotes.filter((_, index) => isMissing[index])).toEqual([]);
});

test('every operation that a document mentions is in the API document', async () => {
  const { paths } = JSON.parse(await read('docs/openapi.json'));
  const calls = [
    ...found(/client\.(get|post|put|delete|download)\('([^']+)'/g),
    ...found(/`(GET|POST|PUT|DELETE) (\/api\/[\w/{}-]+)/g),
  ].map(({ file, parts: [method = '', url = ''] }) => ({ file, url, method: method.toLowerCase() }));
  expect(calls.length).toBeGreaterThan(20);
  const isMissing = ({ url, method }: { url: string; method: string }) =>
    paths[url]?.[method === 'download' ? 'get' : method] === undefined;
  expect(calls.filter(isMissing)).toEqual([]);
});

test('every log message that a document quotes is in the source', async () => {
  const source = (await Promise.all((await filesIn('src', '.ts')).map(read))).join('\n');
  const [, table = ''] = (texts.get('docs/operations.md') ?? '').split('## Log messages\n');
  const listed = [...(table.split('\n## ')[0] ?? '').matchAll(/^\| (`.+`) \| (.*) \|$/gm)].flatMap(([row]) =>
    [...row.matchAll(/`([a-z][^`]*)`/g)].map(([, text]) => text),
  );
  const quoted = found(/\b(?:logs?|log has|log says|logged as)\s+`([^`{]+)`(?: and `([^`]+)`)?/g);
  const messages = [...listed, ...quoted.flatMap(({ parts }) => parts)].flatMap(
    (text) => text?.replaceAll(/\s+/g, ' ') ?? [],
  );
  expect(messages.length).toBeGreaterThan(15);
  // Of PostgreSQL's log, or the name of a field.
  const others = /^recovery stopping|^database system|^is ahead of|^origin$|^worker$|^request$|^others$|^debug$/;
  const isMissing = (text: string) => !others.test(text) && !source.includes(`'${text}'`);
  expect(messages.filter(isMissing)).toEqual([]);
});

test('README is short, in both languages, with the same commands and the tests that hold its claims', async () => {
  const [english = '', chinese = ''] = ['README.md', 'README.zh.md'].map((file) => texts.get(file));
  for (const text of [english, chinese]) expect(text.split('\n').length).toBeLessThanOrEqual(160);
  const claims = (text: string) => [...text.matchAll(/\]\((tests\/[^)]+\.test\.ts)\)/g)].map(([, file]) => file);
  expect(claims(english).length).toBeGreaterThan(4);
  expect(claims(chinese)).toEqual(claims(english));
  const links = (text: string) => new Set([...text.matchAll(/\]\(([\w./#-]+)\)/g)].map(([, link]) => link));
  expect(
    [...links(english)].filter((link) => !/^README|^docs\/pictures/.test(link ?? '') && !links(chinese).has(link)),
  ).toEqual([]);
});

test('CONTRIBUTING lists every folder of the sources', async () => {
  const [, layout = ''] = /## Layout\n\n```\n(.*?)```/s.exec(texts.get('CONTRIBUTING.md') ?? '') ?? [];
  const folders = (await readdir(path.join(projectRoot, 'src'), { withFileTypes: true })).filter((each) =>
    each.isDirectory(),
  );
  expect(folders.filter(({ name }) => !new RegExp(`\\b${name}/`).test(layout)).map(({ name }) => name)).toEqual([]);
});
