// Says what the release of package.json's version still lacks: tsx scripts/release-check.ts [--final]
// npm run lint runs it; with --final, as npm version does, nothing may be left for a later version either.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { projectRoot } from '../src/project-root.ts';
import { readInterface } from './release-interface.ts';

const nameOf = (version: string, ending: string) => `tests/fixtures/releases/${version}.${ending}`;

export function findGaps(root: string, { final = false } = {}): string[] {
  const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
  const versionIn = (file: string): string => JSON.parse(read(file)).version;
  const version = versionIn('package.json');
  const gaps: string[] = [];
  const expectTrue = (isTrue: boolean, gap: string) => isTrue || gaps.push(gap);

  for (const file of ['client/package.json', 'mcp/package.json', 'mcp/package-lock.json'])
    expectTrue(versionIn(file) === version, `${file}: the version is not ${version}`);
  expectTrue(
    versionIn('package-lock.json') === version,
    `package-lock.json: the version is not ${version}; npm install`,
  );
  const document = JSON.parse(read('docs/openapi.json'));
  expectTrue(document.info.version === version, `docs/openapi.json: the version is not ${version}; npm run openapi`);

  const sections = read('CHANGELOG.md').split(/^## /m).slice(1);
  const [unreleased] = sections.filter((section) => section.startsWith('[Unreleased]'));
  const [newest = ''] = sections.filter((section) => section !== unreleased);
  const [, released, date] = /^\[([^\]]+)\] - (\d{4}-\d\d-\d\d)\n/.exec(newest) ?? [];
  expectTrue(
    released === version && date !== undefined,
    `CHANGELOG.md: the newest version with a date is not ${version}`,
  );
  for (const part of ['In short', 'For operators'])
    expectTrue(newest.includes(`\n### ${part}\n`), `CHANGELOG.md: ${version} has no section "${part}"`);
  const summary = /### In short\n\n([\s\S]*?)\n\n/.exec(newest)?.[1] ?? '';
  expectTrue(summary.split('\n').length <= 10, `CHANGELOG.md: "In short" of ${version} has more than ten lines`);

  for (const ending of ['tar.gz', 'interface.json.gz'])
    expectTrue(
      existsSync(path.join(root, nameOf(version, ending))),
      `${nameOf(version, ending)} is missing; npm run snapshot`,
    );
  if (final) {
    expectTrue(!unreleased?.includes('\n- '), 'CHANGELOG.md: lines of "Unreleased" belong to this version');
    const isSame = gaps.length === 0 && isDeepStrictEqual(readInterface(version, root).document, document);
    expectTrue(isSame, `${nameOf(version, 'interface.json.gz')} is not docs/openapi.json; npm run snapshot`);
  }
  return gaps;
}

if (process.argv[1] === import.meta.filename) {
  const gaps = findGaps(projectRoot, { final: process.argv.includes('--final') });
  for (const gap of gaps) process.stderr.write(`${gap}\n`);
  if (gaps.length > 0) process.exitCode = 1;
}
