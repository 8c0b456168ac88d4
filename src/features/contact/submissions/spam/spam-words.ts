import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import traditionalCharacters from 'opencc-js/dict/TSCharacters';
import { ConfigError } from '../../../../config/config.ts';
import { projectRoot } from '../../../../project-root.ts';

/** A visible letter, digit or ideograph in its plain form. */
export type Glyph = {
  readonly symbol: string;
  /** `disguise`: a digit or sign that may replace the letter in `symbol`; `ideograph`: of a script without spaces. */
  readonly kind: 'letter' | 'disguise' | 'ideograph';
  /** The number of separators (white space, punctuation, emoji) before it. */
  readonly gap: number;
  readonly spaced: boolean;
};

/** The plain form of characters that are or look like others: traditional, foreign, circled, squared. */
const plainForms = new Map([
  ...traditionalCharacters.split('|').map((entry) => entry.split(' ', 2) as [string, string]),
  // Old and Japanese forms that OpenCC does not convert.
  ...zip('吿広売', '告广卖'),
  ...zip('авекмнорстухіјѕһԁԛԝѵ', 'abekmhopctyxijshdqwv'),
  ...zip('αβεηικνορτυχ', 'abenikvoptux'),
  ...zip('ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ', 'abcdefghijklmnoprstuvwyz'),
  ...zip('ıøłđɑɡ', 'ioldag'),
  ...[0x1f150, 0x1f170, 0x1f1e6].flatMap((firstLetter) => {
    const alphabet = 'abcdefghijklmnopqrstuvwxyz';
    return zip(Array.from(alphabet, (_, i) => String.fromCodePoint(firstLetter + i)).join(''), alphabet);
  }),
]);

/** 1 is read as i and as l, so both are the same symbol. */
const disguises = new Map(zip('0123456789@$!|', 'oi2eas6t89asii'));

const invisible = /[\p{M}\p{C}\p{Default_Ignorable_Code_Point}]/u;
const unspacedScript = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}]/u;

export function readGlyphs(text: string): Glyph[] {
  const glyphs: Glyph[] = [];
  let gap = 0;
  let spaced = false;
  for (const char of fold(text)) {
    const kind = kindOf(char);
    if (kind === null) {
      gap += 1;
      spaced ||= /\s/.test(char);
    } else {
      glyphs.push({ symbol: char === 'l' ? 'i' : (disguises.get(char) ?? char), kind, gap, spaced });
      gap = 0;
      spaced = false;
    }
  }
  return glyphs;
}

function kindOf(char: string): Glyph['kind'] | null {
  if (char >= 'a' && char <= 'z') return 'letter';
  if (char >= '\u4e00' && char <= '\u9fff') return 'ideograph';
  if (disguises.has(char)) return 'disguise';
  if (char < '\u0080') return null;
  if (unspacedScript.test(char)) return 'ideograph';
  return /[\p{L}\p{N}]/u.test(char) ? 'letter' : null;
}

/** Lower case, simplified, without accents and invisible characters, at most two equal letters in a row. */
function fold(text: string): string {
  let folded = '';
  for (const char of text.toLowerCase()) {
    folded += char < '\u0080' ? char : foldCharacter(char);
  }
  // A sign is read as a letter only before a letter or digit.
  return folded.replace(/([a-z])\1\1+/g, '$1').replace(/[@$!|](?![a-z0-9])/g, '.');
}

/**
 * One character at a time: `normalize()` on a whole text sorts runs of combining marks in quadratic time, a second
 * for 60,000. Characters that decompose into more than six code units (one Arabic sign has 18) are unchanged.
 */
function foldCharacter(char: string): string {
  if (char >= '\u4e00' && char <= '\ud7ff') return plainForms.get(char) ?? char; // Chinese, Korean: nothing to decompose
  const decomposed = char.normalize('NFKD');
  if (decomposed.length > 6) return char;
  let folded = '';
  for (const part of decomposed.toLowerCase()) {
    if (!invisible.test(part)) folded += plainForms.get(part) ?? part;
  }
  return folded;
}

function zip(from: string, to: string): [string, string][] {
  return [...from].map((char, index) => [char, to.charAt(index)]);
}

/** advertising, promotion, marketing; illegal activity, fraud, pyramid schemes; pornography, violence, politics. */
export const spamFamilies = ['advertising', 'illegal', 'sensitive'] as const;
export type SpamFamily = (typeof spamFamilies)[number];

/** The listed words of each family, and the phrases in which a listed word is harmless. */
export type SpamWords = Readonly<Record<SpamFamily | 'innocent', readonly string[]>>;

export const defaultSpamWordsFile: string = join(projectRoot, 'assets', 'spam-words.txt');

/** Throws ConfigError. */
export function readSpamWords(file = defaultSpamWordsFile): SpamWords {
  try {
    return loadSpamWords(file);
  } catch (error) {
    throw new ConfigError([`SPAM_WORDS_FILE: ${error instanceof Error ? error.message : error}`]);
  }
}

/** Reads a word file. Throws an Error that names the file, the line and what to change. */
export function loadSpamWords(file: string): SpamWords {
  const words: Record<keyof SpamWords, string[]> = { advertising: [], illegal: [], sensitive: [], innocent: [] };
  let section: string[] | null = null;

  for (const [index, rawLine] of readFileSync(file, 'utf8').split('\n').entries()) {
    const lineError = (problem: string) => new Error(`${file}:${index + 1}: ${problem}`);
    if (rawLine.includes('\uFFFD')) throw lineError('this line is not UTF-8; save the file as UTF-8');
    const line = rawLine.replace(/(^|\s)#.*/, '').trim();
    const heading = /^\[(.*)\]$/.exec(line)?.[1]?.trim();
    if (heading !== undefined) {
      if (!isSection(words, heading))
        throw lineError(`[${heading}] is not a family; use one of ${sectionNames(words)}`);
      section = words[heading];
      continue;
    }
    for (const word of line.split(/[,，、]/).map((part) => part.trim())) {
      if (word === '') continue;
      if (section === null)
        throw lineError(`"${word}" belongs to no family; put one of ${sectionNames(words)} above it`);
      if (readGlyphs(word).length < 2)
        throw lineError(`"${word}" is too short and would match by chance; use at least 2 letters`);
      section.push(word);
    }
  }
  if (spamFamilies.every((family) => words[family].length === 0))
    throw new Error(`${file}: contains no words; add some`);
  return words;
}

function isSection(words: SpamWords, name: string): name is keyof SpamWords {
  return Object.hasOwn(words, name);
}

function sectionNames(words: SpamWords): string {
  return Object.keys(words)
    .map((name) => `[${name}]`)
    .join(', ');
}
