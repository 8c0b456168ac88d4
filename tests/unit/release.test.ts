import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findGaps } from '../../scripts/release-check.ts';
import { projectRoot, version } from '../../src/project-root.ts';

async function copyOfRelease() {
  const root = await mkdtemp(path.join(os.tmpdir(), 'studytrack-release-'));
  onTestFinished(() => rm(root, { recursive: true }));
  for (const file of [
    'package.json',
    'package-lock.json',
    'client/package.json',
    'mcp/package.json',
    'mcp/package-lock.json',
    'docs/openapi.json',
    'CHANGELOG.md',
  ])
    await cp(path.join(projectRoot, file), path.join(root, file));
  await cp(path.join(projectRoot, 'tests/fixtures/releases'), path.join(root, 'tests/fixtures/releases'), {
    recursive: true,
  });
  const edit = async (file: string, from: string | RegExp, to: string) => {
    const text = await readFile(path.join(root, file), 'utf8');
    await writeFile(path.join(root, file), text.replace(from, to));
  };
  return { root, edit };
}

test('a release is complete: one version everywhere, a changelog for people and operators, data and interface to compare with', () => {
  expect(findGaps(projectRoot)).toEqual([]);
});

test('what a release lacks is named', async () => {
  const { root, edit } = await copyOfRelease();
  await edit('CHANGELOG.md', /^### In short$/m, '### Summary');
  await edit('client/package.json', version, '0.0.1');
  await rm(path.join(root, `tests/fixtures/releases/${version}.tar.gz`));
  expect(findGaps(root)).toEqual([
    `client/package.json: the version is not ${version}`,
    `CHANGELOG.md: ${version} has no section "In short"`,
    `tests/fixtures/releases/${version}.tar.gz is missing; npm run snapshot`,
  ]);
  const next = await copyOfRelease();
  await next.edit('CHANGELOG.md', /^(?=## \[)(?:## \[Unreleased\]\n\n)?/m, '## [Unreleased]\n\n- A line\n\n');
  expect(findGaps(next.root)).toEqual([]);
  expect(findGaps(next.root, { final: true })).toContain('CHANGELOG.md: lines of "Unreleased" belong to this version');
});
