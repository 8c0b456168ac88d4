import { defineConfig } from 'vitest/config';

/** The tests of the pure modules that `npm run mutation` mutates; they need no database. */
// biome-ignore lint/style/noDefaultExport: the runner reads the default export
export default defineConfig({
  test: {
    include: [
      'tests/lib/{address,csv,edit-distance}.test.ts',
      'tests/features/study-sessions/session-times.test.ts',
      'tests/features/contact/{spam,automaton,normalise}.test.ts',
      'tests/features/session-import/import-format.test.ts',
    ],
    setupFiles: ['tests/support/fixed-seed.ts'],
    testTimeout: 120_000,
  },
});
