import { expect, test } from 'vitest';

test('every statement has a name of its own: two of one name throw where the second is defined', async () => {
  expect(await import('../../src/container.ts')).toHaveProperty('createContainer');
  expect(await import('../../src/store.ts')).toHaveProperty('createStore');
});
