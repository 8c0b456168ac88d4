import { defineConfig } from 'vitest/config';

// The web application in a browser, over the real service and a real database.
// biome-ignore lint/style/noDefaultExport: the runner reads the default export
export default defineConfig({
  test: {
    include: ['tests/web/**/*.test.ts'],
    globalSetup: [
      'tests/support/run-folder.ts',
      'tests/support/template-database.ts',
      'tests/support/web/web-build.ts',
      'tests/support/web/shared-browser.ts',
    ],
    pool: 'forks',
    maxWorkers: 3, // on two cores, because workers mostly wait
    isolate: false,
    testTimeout: 120_000,
    chaiConfig: { truncateThreshold: 1_000 }, // shows array contents in failures
    expect: { poll: { timeout: 30_000 } },
    hookTimeout: 60_000,
  },
});
