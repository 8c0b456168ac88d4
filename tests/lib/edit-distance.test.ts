import { expect, test } from 'vitest';
import { nearestName } from '../../src/lib/parse-options.ts';

const commands = ['start', 'seed', 'backup', 'admin:create', 'projects:recalculate'];

test.each([
  ['backup', 'backup'],
  ['bakup', 'backup'], // a letter is missing
  ['backkup', 'backup'], // an extra letter
  ['backop', 'backup'], // a wrong letter
  ['bakcup', 'backup'], // two are swapped
  ['abckup', 'backup'],
  ['backpu', 'backup'],
  ['see', 'seed'],
  ['xseed', 'seed'],
  ['sede', 'seed'],
  ['admin-creat', 'admin:create'], // two edits in a name of ten letters or more
  ['dmin:creat', 'admin:create'],
  ['project:recalculat', 'projects:recalculate'],
])('%s is nearest to %s', (name, nearest) => {
  expect(nearestName(name, commands)).toBe(nearest);
});

// Two wrong letters in a row are two edits.
test.each([
  ['baxxup'],
  ['bakxup'],
  ['baxcup'],
  ['bakupp'],
  ['bkcaup'],
  ['admn-creat'],
  ['deesx'],
  ['s'],
  [''],
  ['constructor'],
])('%j is near to no name', (name) => {
  expect(nearestName(name, commands)).toBeUndefined();
});

test('the nearest of several is found in any order', () => {
  const names = ['DATABASE_URLS', 'DATABASE_URL'];
  expect(nearestName('DATABASE_UR', names)).toBe('DATABASE_URL');
  expect(nearestName('DATABASE_UR', names.toReversed())).toBe('DATABASE_URL');
  expect(nearestName('DATABASE_URLSX', names)).toBe('DATABASE_URLS');
});

test.each([
  ['ninechars', 'ninecha', undefined],
  ['ten_letter', 'ten_lett', 'ten_letter'],
  ['ten_letter', 'ten_let', undefined],
])('%s for %s: %s', (known, given, named) => {
  expect(nearestName(given, [known])).toBe(named);
});
