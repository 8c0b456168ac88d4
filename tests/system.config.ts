import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

/** They measure times, send more requests than a busy machine answers in time, remove what other tests would use, or need a port. */
const alone = [
  'tests/boot/end.test.ts',
  'tests/deployment/one-server-commands.test.ts',
  'tests/embedded-postgres/host.test.ts',
  'tests/faults/{connections-cut,database-disk-full,database-killed,pool-exhausted}.test.ts',
  'tests/faults/{service-killed,sigterm,sigterm-import,webhooks-killed}.test.ts',
];

const project = (test: TestProjectInlineConfiguration['test']): TestProjectInlineConfiguration => ({
  test: {
    setupFiles: ['tests/support/fixed-seed.ts'],
    pool: 'forks',
    isolate: false,
    testTimeout: 600_000,
    hookTimeout: 300_000,
    chaiConfig: { truncateThreshold: 1_000 }, // shows array contents in failures
    expect: { poll: { timeout: 60_000 } },
    ...test,
  },
});

// Tests of processes: start and end of the service, its commands, deployment, the embedded server, and faults.
// biome-ignore lint/style/noDefaultExport: the runner reads the default export
export default defineConfig({
  test: {
    globalSetup: ['tests/support/run-folder.ts', 'tests/support/template-database.ts'],
    projects: [
      project({
        name: 'together',
        include: ['tests/{boot,cli,deployment,embedded-postgres,faults}/**/*.test.ts'],
        exclude: alone,
        maxWorkers: 3, // on two cores, because workers mostly wait for processes
        sequence: { groupOrder: 0 },
      }),
      project({ name: 'alone', include: alone, maxWorkers: 1, sequence: { groupOrder: 1 } }),
    ],
  },
});
