import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { speechRate, wavOf } from '../src/features/contact/captcha/captcha-rendering.ts';

/** The spoken text of each character. A word or a repetition distinguishes letters that sound alike. */
const english: Readonly<Record<string, string>> = {
  ...{ A: 'A, Alfa', C: 'C, Charlie', E: 'E, Echo', F: 'F, Foxtrot', H: 'H, Hotel', J: 'J, Juliet', K: 'K, Kilo' },
  ...{ M: 'M, Mike', N: 'N, November', P: 'P, Papa', R: 'R, Romeo', T: 'T, Tango', W: 'W, Whiskey', X: 'X, X-ray' },
  ...{ Y: 'Y, Yankee', 3: 'the digit three', 9: 'the digit nine' },
};
const voices = {
  en: { voice: 'en-us', texts: english },
  zh: {
    voice: 'cmn',
    texts: Object.fromEntries(Object.keys(english).map((character) => [character, `${character}，${character}`])),
  },
};

/** Halves the sample rate of espeak-ng, with a weighted mean of three samples, and trims silence. */
function halved(wav: Buffer): Float32Array {
  const all = new Int16Array(wav.buffer.slice(wav.byteOffset + 44, wav.byteOffset + (wav.length & ~1)));
  const at = (index: number) => (all[index] ?? 0) / 32_768;
  const samples = Float32Array.from({ length: all.length >> 1 }, (_, index) => {
    return at(2 * index - 1) / 4 + at(2 * index) / 2 + at(2 * index + 1) / 4;
  });
  const isLoud = (sample: number) => Math.abs(sample) > 0.01;
  return samples.slice(samples.findIndex(isLoud), samples.findLastIndex(isLoud) + 1);
}

for (const [locale, { voice, texts }] of Object.entries(voices)) {
  const folder = new URL(`../assets/captcha-speech/${locale}/`, import.meta.url);
  mkdirSync(folder, { recursive: true });
  for (const [character, text] of Object.entries(texts)) {
    const wav = execFileSync('espeak-ng', ['-v', voice, '-s', '150', '--stdout', text]);
    writeFileSync(new URL(`${character}.wav`, folder), wavOf(halved(wav), speechRate));
  }
}
