import fc from 'fast-check';

// Every run tests the same cases, so that failures are reproducible; FUZZ_SEED=… selects others.
fc.configureGlobal({ seed: Number(process.env['FUZZ_SEED'] ?? 20_261_121) });
