import { expect, test } from 'vitest';
import { missingPackages, readLock } from '../../scripts/complete-lock.ts';

test('the lock file knows every optional package, or npm ci would refuse it (otherwise: npm run lock:complete)', async () => {
  expect(missingPackages(await readLock())).toEqual([]);
});
