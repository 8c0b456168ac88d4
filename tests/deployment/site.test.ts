import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '../../src/project-root.ts';
import { addressOf, pages, titleOf } from '../../tools/site/pages.ts';

let folder: string;
let site: Map<string, string>;
const base = '/studytrack/';
const source = 'https://git.example.org/studytrack/blob/main';

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'studytrack-site-'));
  // VitePress itself refuses links to files that do not exist.
  await promisify(execFile)('npm', ['run', 'site', '--', '--outDir', folder], {
    cwd: projectRoot,
    env: { ...process.env, SITE_BASE: base, SITE_SOURCE: source },
    maxBuffer: 1e8,
  });
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.html'));
  site = new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(path.join(folder, name), 'utf8')] as const)),
  );
});
afterAll(() => rm(folder, { recursive: true }));

test('the site has every document, and no others', () => {
  expect([...site.keys()].sort()).toEqual([...pages.map(addressOf), '404.html'].sort());
  for (const page of pages.filter((name) => name !== 'README.zh.md'))
    expect(site.get(addressOf(page)), page).toContain(`<title>${titleOf(page).replaceAll('&', '&amp;')}`);
  expect(['index.html', 'zh.html'].map((page) => /<html lang="([^"]+)"/.exec(site.get(page) ?? '')?.[1])).toEqual([
    'en',
    'zh-CN',
  ]);
});

test('every link within the site leads to a page, a heading or a file; others to the sources', async () => {
  const files = new Set(await readdir(folder, { recursive: true }));
  const links = [...site].flatMap(([page, html]) =>
    [...html.matchAll(/ (?:href|src)="([^"]+)"/g)].map(([, link = '']) => ({ page, link })),
  );
  const dead = links.filter(({ page, link }) => {
    const { origin, pathname, hash } = new URL(link, `https://site${base}${page}`);
    if (origin !== 'https://site') return false;
    const name = pathname.slice(base.length).replace(/(^|\/)$/, '$1index.html');
    const id = decodeURIComponent(hash.slice(1));
    return !files.has(name) || (id !== '' && site.get(name)?.includes(` id="${id}"`) !== true);
  });
  expect(dead).toEqual([]);
  expect(links.length).toBeGreaterThan(1000);
  expect(site.get('index.html')).toContain(`href="${source}/tests/contract/rights-at-commit.test.ts"`);
});

test('llms.txt lists the documents as Markdown, and llms-full.txt has their text', async () => {
  const list = await readFile(path.join(folder, 'llms.txt'), 'utf8');
  expect(list).toMatch(/^# Studytrack\n\n> .+\n\n## /);
  expect([...list.matchAll(/\]\((.+)\)$/gm)].map(([, page]) => page)).toEqual(pages);
  const full = await readFile(path.join(folder, 'llms-full.txt'), 'utf8');
  for (const page of pages) {
    const text = await readFile(path.join(projectRoot, page), 'utf8');
    expect(await readFile(path.join(folder, page), 'utf8')).toBe(text);
    expect(full.includes(text), page).toBe(true);
  }
});
