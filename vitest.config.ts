import { defineConfig } from 'vitest/config';

// biome-ignore lint/style/noDefaultExport: the runner reads the default export
export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    exclude: ['tests/faults/**', 'tests/cluster/**', 'tests/web/**'],
    globalSetup: ['tests/support/template-database.ts'],
    pool: 'forks',
    maxWorkers: 2,
    isolate: false,
    testTimeout: 20_000,
    expect: { poll: { timeout: 10_000 } },
    hookTimeout: 60_000,
  },
});
