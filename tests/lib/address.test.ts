import { expect, test } from 'vitest';
import { normaliseAddress, plainAddress } from '../../src/lib/network/address.ts';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['', ''],
])('%s counts as %s', (address, counted) => {
  expect(normaliseAddress(address)).toBe(counted);
});

test('addresses in one /64 are one caller, those in the next another', () => {
  const one = normaliseAddress('2001:db8:1:2::1');
  expect(normaliseAddress('2001:0DB8:1:2:ffff:ffff:ffff:ffff')).toBe(one);
  expect(normaliseAddress('2001:db8:1:3::1')).not.toBe(one);
  expect(normaliseAddress('fe80::1%eth0')).toBe(normaliseAddress('fe80::2'));
});

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:cb00:7107', '203.0.113.7'],
  ['2001:0DB8:0:0::1', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
])('%s is stored as %s', (address, stored) => {
  expect(plainAddress(address)).toBe(stored);
});
