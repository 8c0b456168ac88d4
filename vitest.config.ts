import { defineConfig } from 'vitest/config';

// biome-ignore lint/style/noDefaultExport: the runner reads the default export
export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    exclude: ['tests/{boot,cli,deployment,embedded-postgres,faults,cluster,web}/**'],
    globalSetup: ['tests/support/run-folder.ts', 'tests/support/template-database.ts'],
    setupFiles: ['tests/support/fixed-seed.ts'],
    pool: 'forks',
    maxWorkers: 3,
    isolate: false,
    execArgv: ['--max-semi-space-size=64'], // as `npm start`: at least a twentieth less time
    // For what never ends. A slow test is no failure: the machine may be busy with anything else.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // The identity provider of the tests keeps its data in memory, on every version of Node.js.
    onConsoleLog: (log) => !log.includes('oidc-provider WARNING'),
    chaiConfig: { truncateThreshold: 1_000 }, // a failure says what was there, not that it was an array
    expect: { poll: { timeout: 60_000 } },
  },
});
