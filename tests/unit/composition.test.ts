import { expect, test } from 'vitest';

test('statement names are unique: a duplicate throws on import', async () => {
  expect(await import('../../src/boot/composition/index.ts')).toHaveProperty('createContainer');
  expect(await import('../../src/boot/composition/database.ts')).toHaveProperty('connect');
});
