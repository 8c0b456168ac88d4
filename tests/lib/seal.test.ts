import { expect, test } from 'vitest';
import { createSeal } from '../../src/lib/secrets/encryption.ts';

const oldSecret = 'the old secret, long enough to be one';
const newSecret = 'the new secret, long enough to be one';

test('sealed text can be opened, also after a rotation of the secrets', () => {
  const sealed = createSeal([oldSecret], 'tests').seal('密码 secret');
  expect(Buffer.from(sealed, 'base64url').includes('secret')).toBe(false);
  expect(createSeal([newSecret, oldSecret], 'tests').open(sealed)).toBe('密码 secret');
});

test('sealed text cannot be opened with another secret, for another purpose or after a change', () => {
  const seal = createSeal([oldSecret], 'tests');
  const sealed = seal.seal('secret');
  expect(createSeal([newSecret], 'tests').open(sealed)).toBeUndefined();
  expect(createSeal([oldSecret], 'something else').open(sealed)).toBeUndefined();
  const bytes = Buffer.from(sealed, 'base64url');
  for (const index of bytes.keys()) {
    const changed = Buffer.from(bytes);
    changed[index] = (changed[index] ?? 0) ^ 1;
    expect(seal.open(changed.toString('base64url'))).toBeUndefined();
  }
  expect(seal.open('')).toBeUndefined();
});

test('sealing the same text twice gives different results', () => {
  const seal = createSeal([oldSecret], 'tests');
  expect(seal.seal('secret')).not.toBe(seal.seal('secret'));
});

test('a digest matches after a rotation, and only with the secret', () => {
  const digest = createSeal([oldSecret], 'tests').digest('secret');
  expect(createSeal([newSecret, oldSecret], 'tests').matches('secret', digest)).toBe(true);
  expect(createSeal([newSecret, oldSecret], 'tests').matches('Secret', digest)).toBe(false);
  expect(createSeal([newSecret], 'tests').matches('secret', digest)).toBe(false);
});
