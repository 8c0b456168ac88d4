import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it, test } from 'vitest';
import { createSpamMatcher } from '../../../../src/features/contact/submissions/spam/spam-matcher.ts';
import {
  defaultSpamWordsFile,
  loadSpamWords,
  spamFamilies,
} from '../../../../src/features/contact/submissions/spam/spam-words.ts';

const words = loadSpamWords(defaultSpamWordsFile);
const spam = createSpamMatcher(words);

function fixture(name: string): string[] {
  const text = readFileSync(new URL(`./spam-samples/${name}`, import.meta.url), 'utf8');
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

function readEscapes(text: string): string {
  return text
    .replaceAll('\\n', '\n')
    .replace(/\\u\{([0-9a-f]+)\}/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));
}

describe('disguised spam', () => {
  const evasions = fixture('evasions.txt').map((line) => {
    const [family, text] = [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)];
    return { family, text: readEscapes(text) };
  });

  it('has a corpus of at least 200 distinct texts', () => {
    expect(new Set(evasions.map(({ text }) => text)).size).toBeGreaterThanOrEqual(200);
  });

  it('is rejected, each text with its family', () => {
    expect(evasions.map(({ text }) => ({ family: spam.match(text), text }))).toEqual(evasions);
  });
});

describe('innocent messages', () => {
  // The names of the families are a fixed rule. Only they may reject innocent texts; the words added to them must not.
  const ownNames = createSpamMatcher({
    advertising: ['广告', '推广', '营销', 'advertising', 'promotion', 'marketing'],
    illegal: ['违法', '诈骗', '传销', 'illegal', 'fraud', 'pyramid scheme', 'pyramid schemes'],
    sensitive: ['色情', '暴力', '政治', 'pornography', 'violence', 'politics'],
    innocent: words.innocent,
  });

  test.each(['innocent-en.txt', 'innocent-zh.txt'])('of %s pass, except for less than one per cent', (name) => {
    const messages = fixture(name);
    expect(new Set(messages).size).toBe(messages.length);
    expect(messages.length).toBeGreaterThanOrEqual(500);
    const rejected = messages.filter((message) => spam.match(message) !== null);
    expect(rejected.length / messages.length).toBeLessThan(0.01);
    expect(rejected).toEqual(messages.filter((message) => ownNames.match(message) !== null));
  });
});

describe('a listed word', () => {
  const matches = (word: string, text: string) =>
    createSpamMatcher({ advertising: [word], illegal: [], sensitive: [], innocent: [] }).match(text) !== null;

  test.each([
    ['advert', '去4dvert', 'a disguised first letter after an ideograph'],
    ['casino', 'casin0吧', 'a disguised last letter before an ideograph'],
    ['sale', 's4l3', 'half of the letters disguised'],
    ['a100', 'a100', 'digits of its own are no disguise'],
    ['加v信', '加v 信', 'ideographs and letters, with a space between'],
    ['ass', 'hello      a s s   i', 'spelled out, followed by a letter at a greater distance'],
  ])('%s matches "%s": %s', (word, text) => {
    expect(matches(word, text)).toBe(true);
  });

  test.each([
    ['advert', 'x4dvert', 'a disguised first letter after another letter'],
    ['sale', '$4l3', 'more than half of the letters disguised'],
    ['ass', 'a s  s  i g n', 'part of a longer word that is spelled out'],
    ['porn', 'p o r n x', 'part of a longer word that is spelled out'],
  ])('%s does not match "%s": %s', (word, text) => {
    expect(matches(word, text)).toBe(false);
  });
});

describe('a word', () => {
  test.each([
    ['广告', 'advertising'],
    ['推广', 'advertising'],
    ['营销', 'advertising'],
    ['Advertising', 'advertising'],
    ['promotion', 'advertising'],
    ['marketing', 'advertising'],
    ['违法', 'illegal'],
    ['诈骗', 'illegal'],
    ['传销', 'illegal'],
    ['illegal activity', 'illegal'],
    ['fraud', 'illegal'],
    ['pyramid schemes', 'illegal'],
    ['色情', 'sensitive'],
    ['暴力', 'sensitive'],
    ['政治', 'sensitive'],
    ['pornography', 'sensitive'],
    ['porn', 'sensitive'],
    ['violence', 'sensitive'],
    ['politics', 'sensitive'],
  ] as const)('%s is rejected as %s', (word, family) => {
    expect(spam.match(word)).toBe(family);
  });

  // Adds words that are part of harmless ones.
  const strict = createSpamMatcher({ ...words, sensitive: [...words.sensitive, 'ass', 'penis', 'shit'] });

  test.each([
    ...['Scunthorpe', 'Essex', 'class', 'assignment', 'marketplace', 'market', 'promote me to the next level'],
    ...['political science homework', 'the pen is on the map', "it's hit or miss", 'a s s i g n m e n t', 'sex-ed'],
    ...['大麻烦', '角色情感', '灰色，情况如下', '财政治理', 'a1s5', '455', '😀', ' ', '', '\0'],
  ])('%j passes', (text) => {
    expect(strict.match(text)).toBeNull();
  });

  test.each(['an a$s', 'p e n i s', 'pen.is', 'shit!', 'SHIT2', 'shlt', 's h i t   h a p p e n s'])(
    '%j is rejected',
    (text) => {
      expect(strict.match(text)).toBe('sensitive');
    },
  );
});

describe('an innocent phrase', () => {
  it('covers only the word inside it', () => {
    expect(spam.match('大麻烦')).toBeNull();
    expect(spam.match('大麻烦，出售大麻')).toBe('illegal');
    expect(spam.match('sex education and free sex')).toBe('sensitive');
  });
});

describe('words that overlap', () => {
  const overlapping = createSpamMatcher({
    advertising: ['麻将桌布'],
    illegal: ['将桌', '大麻'],
    sensitive: [],
    innocent: ['红烧大', '大麻花'],
  });

  test.each([
    ['麻将桌', 'illegal'],
    ['红烧大麻', 'illegal'],
    ['红烧大麻花', null],
  ])('%s: %s', (text, family) => {
    expect(overlapping.match(text)).toBe(family);
  });
});

describe('any text', () => {
  const halfCharacters = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units));
  const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), halfCharacters);

  it('is checked without an error', () => {
    fc.assert(fc.property(anyText, (text) => void spam.match(text)));
  });

  const chineseWords = spamFamilies
    .flatMap((family) => words[family])
    .filter((word) => /^\p{Script=Han}+$/u.test(word));
  const between = fc.string({
    unit: fc.constantFrom('\u200b', '\u200d', '\u2060', '\u00ad', '\ufe0f', '\u0301', ' ', '\n', '，', '😀'),
  });

  it('does not hide a Chinese word with characters in between', () => {
    const disguised = fc
      .constantFrom(...chineseWords)
      .chain((word) =>
        fc
          .array(between, { minLength: word.length, maxLength: word.length })
          .map((gaps) => [...word].map((char, i) => (gaps[i] ?? '') + char).join('')),
      );
    fc.assert(fc.property(anyText, disguised, (text, word) => spam.match(`${text}。${word}`) !== null));
  });

  it('of 60,000 adversarial characters is checked quickly', () => {
    const hostile = {
      marks: '\u0301\u0316'.repeat(30_000),
      ligatures: '\ufdfa'.repeat(60_000),
      invisible: '\u200b'.repeat(60_000),
      beginnings: '推'.repeat(60_000),
      innocent: '角色情'.repeat(20_000),
      spelled: 'm a r k e t i n '.repeat(3_750),
      letters: 'aassiill'.repeat(7_500),
      signs: 'a$5@'.repeat(15_000),
      traditional: '廣'.repeat(60_000),
      emoji: '😀'.repeat(30_000),
      korean: '각'.repeat(60_000),
      cyrillic: 'ж'.repeat(60_000),
      wide: `p${' '.repeat(59_990)}orn`,
    };
    for (const [name, text] of Object.entries(hostile)) {
      // Takes about 20 ms of CPU time; a quadratic algorithm would take minutes.
      const from = process.cpuUsage();
      spam.match(text);
      expect(process.cpuUsage(from).user / 1000, name).toBeLessThan(1000);
    }
  });
});

describe('a word file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'spam-words-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  function load(content: string | Buffer) {
    const file = join(folder, 'words.txt');
    writeFileSync(file, content);
    return loadSpamWords(file);
  }

  it('can replace the list', () => {
    const own = load('\ufeff# ours\r\n[illegal]\r\n麻将， durian fruit # two\r\n[innocent]\r\n麻将桌\r\n');
    expect(own).toEqual({ advertising: [], illegal: ['麻将', 'durian fruit'], sensitive: [], innocent: ['麻将桌'] });
    const matcher = createSpamMatcher(own);
    expect(['麻 將', 'Durian-Fruit', '麻将桌', 'marketing'].map(matcher.match)).toEqual([
      'illegal',
      'illegal',
      null,
      null,
    ]);
  });

  test.each([
    ['a word before any family', 'casino\n', /words\.txt:1: "casino" .*\[advertising\]/],
    ['an unknown family', '[illegal]\ncasino\n[ads]\n', /words\.txt:3: \[ads\] .*\[advertising\]/],
    ['one letter', '[illegal]\n\na\n', /words\.txt:3: "a" is too short/],
    ['signs only', '[illegal]\n***\n', /words\.txt:2: "\*\*\*" is too short/],
    ['another encoding', Buffer.from([...Buffer.from('[illegal]\n'), 0xb6, 0xc4, 0xb2, 0xa9]), /words\.txt:2: .*UTF-8/],
    ['no word', '# later\n[illegal]\n[innocent]\n麻将桌\n', /words\.txt: contains no words/],
  ])('with %s is rejected', (_, content, message) => {
    expect(() => load(content)).toThrow(message);
  });

  it('that is missing is named in the error', () => {
    expect(() => loadSpamWords(join(folder, 'none.txt'))).toThrow(/none\.txt/);
  });
});
