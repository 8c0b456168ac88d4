import { expect, test } from 'vitest';
import { createEncryption } from '../../src/lib/secrets/encryption.ts';

const oldSecret = 'the old secret, long enough to be one';
const newSecret = 'the new secret, long enough to be one';

test('encrypted text can be decrypted, also after a rotation of the secrets', () => {
  const encrypted = createEncryption([oldSecret], 'tests').encrypt('密码 secret');
  expect(Buffer.from(encrypted, 'base64url').includes('secret')).toBe(false);
  expect(createEncryption([newSecret, oldSecret], 'tests').decrypt(encrypted)).toBe('密码 secret');
});

test('encrypted text cannot be decrypted with another secret, for another purpose or after a change', () => {
  const encryption = createEncryption([oldSecret], 'tests');
  const encrypted = encryption.encrypt('secret');
  expect(createEncryption([newSecret], 'tests').decrypt(encrypted)).toBeUndefined();
  expect(createEncryption([oldSecret], 'something else').decrypt(encrypted)).toBeUndefined();
  const bytes = Buffer.from(encrypted, 'base64url');
  for (const index of bytes.keys()) {
    const changed = Buffer.from(bytes);
    changed[index] = (changed[index] ?? 0) ^ 1;
    expect(encryption.decrypt(changed.toString('base64url'))).toBeUndefined();
  }
  expect(encryption.decrypt('')).toBeUndefined();
});

test('encrypting the same text twice gives different results', () => {
  const encryption = createEncryption([oldSecret], 'tests');
  expect(encryption.encrypt('secret')).not.toBe(encryption.encrypt('secret'));
});

test('a digest matches after a rotation, and only with the secret', () => {
  const digest = createEncryption([oldSecret], 'tests').digest('secret');
  expect(createEncryption([newSecret, oldSecret], 'tests').matches('secret', digest)).toBe(true);
  expect(createEncryption([newSecret, oldSecret], 'tests').matches('Secret', digest)).toBe(false);
  expect(createEncryption([newSecret], 'tests').matches('secret', digest)).toBe(false);
});
