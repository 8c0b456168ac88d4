import { defineConfig } from 'vitest/config';

// biome-ignore lint/style/noDefaultExport: the runner reads the default export
export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    exclude: ['tests/faults/**', 'tests/cluster/**'],
    globalSetup: ['tests/setup/template-database.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
