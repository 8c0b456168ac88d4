import { defineConfig } from 'vitest/config';

// Faults and clusters: real processes, started and killed by each test, and no database that is there before.
// biome-ignore lint/style/noDefaultExport: the runner reads the default export
export default defineConfig({
  test: {
    include: ['tests/{faults,cluster}/**/*.test.ts'],
    globalSetup: ['tests/support/run-folder.ts'],
    pool: 'forks',
    // One file after the other: what is measured in seconds shares the machine with nothing else.
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 300_000,
    chaiConfig: { truncateThreshold: 1_000 }, // a failure says what was there, not that it was an array
    expect: { poll: { timeout: 60_000 } },
  },
});
