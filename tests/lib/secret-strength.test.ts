import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../src/config/config.ts';
import { isGuessable } from '../../src/lib/secrets/secret-strength.ts';
import { strongSecret } from '../support/secrets.ts';

const weak = [
  ...['a'.repeat(32), '0'.repeat(64), 'ab'.repeat(20), 'abcabcabcabcabcabcabcabcabcabcabc', 'xyzzy'.repeat(8)],
  ...['0123456789abcdef0123456789abcdef', '0123456789abcdef'.repeat(4), 'fedcba9876543210'.repeat(2)],
  ...['12345678901234567890123456789012', '98765432109876543210987654321098', '1234567890'.repeat(7)],
  ...['abcdefghijklmnopqrstuvwxyz012345', 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'],
  ...['qwertyuiopasdfghjklzxcvbnm123456', 'QWERTYUIOPASDFGHJKLZXCVBNMqwertyuiop', 'qwertyuiop[]asdfghjkl;zxcvbnm,./'],
  ...['1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,', '1q2w3e4r5t6y7u8i9o0p1q2w3e4r5t6y', 'zaq12wsxcde34rfvbgt56yhnmju78ik,'],
  ...['poiuytrewqlkjhgfdsamnbvcxz098765', 'asdfasdfasdfasdfasdfasdfasdfasdf', 'aaaaaaaabbbbbbbbccccccccdddddddd'],
  ...['your-256-bit-secret-your-256-bit', 'my-super-secret-key-for-jwt-2026', 'S3cr3t-S1gn1ng-K3y-0f-0ur-S3rv1ce'],
  ...['this-is-a-key-that-nobody-knows!!', 'changemechangemechangemechangeme', 'please-change_me-before-you-deploy'],
  ...['passwordpasswordpasswordpassword', 'P@ssw0rd-P@ssw0rd-P@ssw0rd-P@ss', 'correct-horse-battery-staple-2026'],
  ...[
    'keyboard cat keyboard cat keyboard',
    'the quick brown fox jumps over the lazy dog',
    'lorem ipsum dolor sit amet con',
  ],
  ...['studytrack-studytrack-studytrack-', 'jwt-token-signing-key-for-our-api', 'deadbeefdeadbeefdeadbeefdeadbeef'],
  ...['cafebabe00000000cafebabe00000000', 'replace-me-with-32-random-bytes!!', 'development-only-key-do-not-ship-it'],
  Buffer.from('supersecretsupersecretsuper').toString('base64'),
  Buffer.from('passwordpassword1234').toString('hex'),
  Buffer.alloc(32).toString('base64'),
  Buffer.from('0123456789abcdef0123456789abcdef').toString('base64'),
];

describe('a secret that can be guessed', () => {
  test('the list has at least 40 of the usual kinds', () => {
    expect(new Set(weak).size).toBeGreaterThanOrEqual(40);
  });

  test.each(weak)('%s', (secret) => {
    expect(isGuessable(secret)).toBe(true);
    const padded = secret.padEnd(32, secret);
    const settings = { NODE_ENV: 'production', DATABASE_URL: 'postgres://nowhere/x', JWT_SECRET: padded };
    if (!padded.includes(',')) expect(() => readConfig(settings)).toThrow(ConfigError);
  });

  test('is rejected as METRICS_TOKEN and in addition to a strong secret', () => {
    const settings = { NODE_ENV: 'production', DATABASE_URL: 'postgres://nowhere/x', JWT_SECRET: strongSecret };
    expect(readConfig(settings).tokens.secrets).toEqual([strongSecret]);
    expect(() => readConfig({ ...settings, METRICS_TOKEN: '0123456789abcdef' })).toThrow(
      /^METRICS_TOKEN can be guessed/,
    );
    expect(() => readConfig({ ...settings, JWT_SECRET: `${strongSecret},${'0123456789abcdef'.repeat(2)}` })).toThrow(
      /^JWT_SECRET can be guessed/,
    );
  });
});

describe('a random secret is accepted', () => {
  /** The same in every run: of some million random ones, one contains a telling word by chance. */
  const bytes = (number: number, minLength: number, maxLength = 96) => {
    const all = Buffer.concat([1, 2].map((part) => createHash('sha512').update(`${number} ${part}`).digest()));
    return all.subarray(0, minLength + (number % (maxLength - minLength + 1)));
  };
  const uuid = (number: number) =>
    bytes(number, 16, 16)
      .toString('hex')
      .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

  test.each<[string, (number: number) => string]>([
    ['base64', (number) => bytes(number, 24).toString('base64')],
    ['base64url', (number) => bytes(number, 24).toString('base64url')],
    ['hexadecimal of 32 digits and more', (number) => bytes(number, 16).toString('hex')],
    ['hexadecimal of 16 digits and more', (number) => bytes(number, 8, 15).toString('hex')],
    ['two UUIDs', (number) => uuid(2 * number) + uuid(2 * number + 1)],
  ])('%s', (_name, secret) => {
    const secrets = Array.from({ length: 1000 }, (_, number) => secret(number));
    expect(secrets.filter(isGuessable)).toEqual([]);
  });
});
