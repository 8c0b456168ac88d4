import { readFile } from 'node:fs/promises';
import path from 'node:path';
import newman from 'newman';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { renderPostman } from '../../scripts/postman.ts';
import { projectRoot } from '../../src/lib/project-root.ts';
import { createAccount } from '../support/accounts.ts';
import { contactSettings } from '../support/contact.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

const folder = path.join(projectRoot, 'docs/postman');
const files = {
  collection: path.join(folder, 'studytrack.postman_collection.json'),
  environment: path.join(folder, 'local.postman_environment.json'),
};

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ settings: contactSettings });
});
afterAll(() => app.stop());

test('the collection is up to date (otherwise: npm run openapi)', async () => {
  const { collection, environment } = await renderPostman();
  expect(JSON.parse(await readFile(files.collection, 'utf8'))).toEqual(JSON.parse(collection));
  expect(JSON.parse(await readFile(files.environment, 'utf8'))).toEqual(JSON.parse(environment));
});

test('every request of the collection succeeds in order, also on a second run', async () => {
  const admin = await createAccount(app, { role: 'admin', display_name: 'Admin' });
  const run = () =>
    new Promise<newman.NewmanRunSummary>((resolve, reject) => {
      newman.run(
        {
          ...files,
          collection: files.collection,
          workingDir: folder,
          reporters: process.env['NEWMAN_REPORT'] === undefined ? [] : ['cli'],
          envVar: [
            { key: 'baseUrl', value: app.origin },
            { key: 'username', value: admin.username },
            { key: 'password', value: admin.password },
          ],
        },
        (error, summary) => (error ? reject(error) : resolve(summary)),
      );
    });
  for (const _time of ['first', 'second']) {
    const { run: report } = await run();
    const failures = report.failures.map(({ source, error }) => `${source?.name}: ${error.message}`);
    expect(failures).toEqual([]);
    expect(report.stats.requests.total).toBeGreaterThan(app.container.operations.length);
    expect(report.stats.assertions.total).toBeGreaterThan(2 * app.container.operations.length);
  }
});
