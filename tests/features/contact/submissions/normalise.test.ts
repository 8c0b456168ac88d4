import { expect, test } from 'vitest';
import { readGlyphs } from '../../../../src/features/contact/submissions/spam/spam-words.ts';

const symbols = (text: string) =>
  readGlyphs(text)
    .map(({ symbol }) => symbol)
    .join('');

test.each([
  ['Hello', 'heiio'], // l and i are the same symbol
  ['HELLO', 'heiio'],
  ['0123456789', 'oi2eas6t89'],
  ['@a $a !a |a', 'aasaiaia'],
  ['a@ b$ c! d|', 'abcd'], // a sign is read as a letter only before a letter
  ['@1 $9', 'ais9'],
  ['pooorn', 'porn'],
  ['poooorn', 'porn'],
  ['coool', 'coi'],
  ['cool', 'cooi'],
  ['éèü', 'eeu'],
  ['e\u0301\u200b\u00ad', 'e'],
  ['ｆｕｌｌ', 'fuii'],
  ['①②', 'i2'],
  ['廣吿', '广告'],
  ['吿広売', '告广卖'],
  ['авекмнорстухіјѕһԁԛԝѵ', 'abekmhopctyxijshdqwv'],
  ['αβεηικνορτυχ', 'abenikvoptux'],
  ['ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ', 'abcdefghijkimnoprstuvwyz'],
  ['ıøłđɑɡ', 'ioidag'],
  ['🅐🅑🅩', 'abz'],
  ['🅰🅱🆉', 'abz'],
  ['🇦🇧🇿', 'abz'],
  ['각', '각'],
  ['鿿', '鿿'],
  ['一', '一'],
  ['ㄅカひ', 'ㄅカひ'],
  ['ß', 'ß'],
  ['㌖', 'キロメートル'], // expands into six characters
  ['½', 'i2'],
  ['\ufdfa', '\ufdfa'], // would expand into 18 code units
  ['ﷲ', 'ﷲ'.normalize('NFKD')],
  ['😀 , .', ''],
  ['', ''],
])('%j reads as %j', (text, expected) => {
  expect(symbols(text)).toBe(expected);
});

test.each([
  ['a', 'letter'],
  ['z', 'letter'],
  ['ж', 'letter'],
  ['٣', 'letter'],
  ['1', 'disguise'],
  ['9', 'disguise'],
  ['一', 'ideograph'],
  ['鿿', 'ideograph'],
  ['㐀', 'ideograph'],
  ['𠀀', 'ideograph'],
  ['ひ', 'ideograph'],
  ['カ', 'ideograph'],
  ['ㄅ', 'ideograph'],
])('%s is a %s', (text, kind) => {
  expect(readGlyphs(text)).toMatchObject([{ kind, gap: 0, spaced: false }]);
});

test('marks and invisible characters are not separators, a sign that is not read as a letter is one', () => {
  const gapsOf = (text: string) => readGlyphs(text).map(({ gap }) => gap);
  expect(gapsOf('e\u0301a\u200bb\u00adc')).toEqual([0, 0, 0, 0]);
  expect(gapsOf('éa')).toEqual([0, 0]);
  expect(gapsOf('a! b')).toEqual([0, 2]);
});

test('counts the separators before a glyph, and detects white space among them', () => {
  const gaps = readGlyphs('a-b c, d~~e{f`g😀h\ni，j').map(({ gap, spaced }) => [gap, spaced]);
  expect(gaps).toEqual([
    [0, false],
    [1, false],
    [1, true],
    [2, true],
    [2, false],
    [1, false],
    [1, false],
    [1, false],
    [1, true],
    [1, false],
  ]);
});
