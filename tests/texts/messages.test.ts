import { describe, expect, test } from 'vitest';
import { chooseLocale } from '../../src/texts/index.ts';
import { texts } from '../support/texts.ts';

describe('the texts', () => {
  test('are each defined once', () => {
    const keys = texts.map(([key]) => key);
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  });

  test('have the same placeholders in both languages, each in its script', () => {
    const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();
    for (const [key, { en, zh }] of texts) {
      expect(placeholders(zh), key).toEqual(placeholders(en));
      expect(en, key).not.toMatch(/\p{Script=Han}/u);
      expect(zh, key).toMatch(/\p{Script=Han}/u);
      expect(/\.$/.test(en), key).toBe(/。$/.test(zh));
    }
  });
});

describe('the locale for Accept-Language', () => {
  test.each([
    ['zh', 'zh'],
    ['zh-CN', 'zh'],
    ['zh-TW', 'zh-Hant'],
    ['ZH-Hant-HK', 'zh-Hant'],
    ['zh_TW', 'zh-Hant'],
    ['zh-HK;q=0.9, en;q=0.8', 'zh-Hant'],
    ['zh-Hans-HK', 'zh'],
    ['zh_CN', 'zh'],
    ['en-GB, zh', 'en'],
    ['zh-CN,zh;q=0.9,en;q=0.8', 'zh'],
    ['en;q=0.5, zh;q=0.9', 'zh'],
    ['zh;q=0.5,en', 'en'],
    ['fr, de;q=0.9, zh;q=0.1', 'zh'],
    ['fr-CH, fr;q=0.9, en;q=0.2, *;q=0.5', 'en'],
    ['zh;q=0, en;q=0.1', 'en'],
    ['en ; q=0.1 , zh ; q=0.2', 'zh'],
    ['zh;q=1.000;level=1', 'zh'],
    ['zh;q=x', 'zh'],
  ])('%s is %s', (header, locale) => {
    expect(chooseLocale(header, locale === 'en' ? 'zh' : 'en')).toBe(locale);
  });

  test.each([
    undefined,
    '',
    '*',
    'fr',
    'zh;q=0',
    'zhx',
    'english',
    ';',
    ',,,',
    ';q=1',
    'q=1',
    'zh;q=0.1.2',
    '\u0000',
    `${'x'.repeat(10_000)},zh`,
    '-'.repeat(1_000),
  ])('%s selects the default of the service', (header) => {
    for (const fallback of ['en', 'zh'] as const) expect(chooseLocale(header, fallback)).toBe(fallback);
  });
});
