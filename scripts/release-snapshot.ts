// Keeps a release for the tests of later versions, in tests/fixtures/releases: a backup of the example school for upgrades
// (VERSION.tar.gz) and the interface (VERSION.interface.json.gz).
// npm version runs it; until the release is tagged, it can be repeated with npm run snapshot.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { projectRoot, version } from '../src/project-root.ts';
import { keepInterface } from './release-interface.ts';

const file = path.join(projectRoot, `tests/fixtures/releases/${version}.tar.gz`);
const folder = mkdtempSync(path.join(os.tmpdir(), 'studytrack-snapshot-'));

const studytrack = (...words: string[]) =>
  execFileSync(process.execPath, [path.join(projectRoot, 'scripts/run.js'), 'src/cli/main.ts', ...words], {
    cwd: folder,
    // Nothing of this environment, which may name the database of a service.
    env: { DATA_DIR: 'data', UPLOADS_DIR: 'uploads' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });

try {
  studytrack('seed');
  rmSync(file, { force: true });
  studytrack('backup', '--to', file);
  keepInterface(version);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
