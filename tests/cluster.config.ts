import { defineConfig } from 'vitest/config';

// A cluster with failover; needs the programs of `.ci/run`.
// biome-ignore lint/style/noDefaultExport: the runner reads the default export
export default defineConfig({
  test: {
    include: ['tests/cluster/**/*.test.ts'],
    globalSetup: ['tests/support/run-folder.ts'],
    pool: 'forks',
    fileParallelism: false, // each test occupies the machine, and measures times
    testTimeout: 600_000,
    hookTimeout: 300_000,
    chaiConfig: { truncateThreshold: 1_000 }, // shows array contents in failures
    expect: { poll: { timeout: 60_000 } },
  },
});
