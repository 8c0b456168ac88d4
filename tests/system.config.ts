import { defineConfig } from 'vitest/config';

// Fault and cluster tests: each starts and kills its own processes, including the database.
// biome-ignore lint/style/noDefaultExport: the runner reads the default export
export default defineConfig({
  test: {
    include: ['tests/{faults,cluster}/**/*.test.ts'],
    globalSetup: ['tests/support/run-folder.ts'],
    pool: 'forks',
    // One file after the other, because the tests measure times.
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 300_000,
    chaiConfig: { truncateThreshold: 1_000 }, // shows array contents in failures
    expect: { poll: { timeout: 60_000 } },
  },
});
