import fc from 'fast-check';

// The same cases in every run, so that a failure is repeated by running the test again; FUZZ_SEED=… tries others.
fc.configureGlobal({ seed: Number(process.env['FUZZ_SEED'] ?? 20_261_121) });
