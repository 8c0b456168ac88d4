import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../../../config.ts';
import { projectRoot } from '../../../lib/project-root.ts';
import { readGlyphs } from './normalise.ts';

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
