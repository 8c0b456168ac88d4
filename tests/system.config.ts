import { defineConfig } from 'vitest/config';

// Tests of processes: start and end of the service, its commands, deployment, the embedded server, and faults.
// biome-ignore lint/style/noDefaultExport: the runner reads the default export
export default defineConfig({
  test: {
    include: ['tests/{boot,cli,deployment,embedded-postgres,faults}/**/*.test.ts'],
    globalSetup: ['tests/support/run-folder.ts', 'tests/support/template-database.ts'],
    setupFiles: ['tests/support/fixed-seed.ts'],
    pool: 'forks',
    fileParallelism: false, // each test starts several processes, and some measure times
    testTimeout: 600_000,
    hookTimeout: 300_000,
    chaiConfig: { truncateThreshold: 1_000 }, // shows array contents in failures
    expect: { poll: { timeout: 60_000 } },
  },
});
