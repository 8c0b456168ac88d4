import { randomBytes, randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import svgCaptcha from 'svg-captcha';
import { createFairQueue } from '../../../lib/fair-queue.ts';
import { projectRoot } from '../../../project-root.ts';
import type { Locale } from '../../../texts/index.ts';

// At most one of each group of similar characters: 0ODQ 1IL 2Z 4A 5S 6CG 7T 8B UV.
export const captchaAlphabet = 'ACEFHJKMNPRTWXY39';

// The package can draw a given text, which its types omit; the text that it generates itself is predictable.
const drawSvg = svgCaptcha as unknown as (text: string, options: svgCaptcha.ConfigObject) => string;

/** Shared by pictures and speech, which take some ten milliseconds of a core each. */
const renderQueue = createFairQueue({ slots: 2, perCaller: 1, waitingPerCaller: 20, waitSeconds: 5 });

export function randomCaptchaText(): string {
  return Array.from({ length: 4 }, () => captchaAlphabet[randomInt(captchaAlphabet.length)]).join('');
}

/** Draws a distorted PNG: an SVG would reveal the text in its outlines. Throws the errors of the fair queue. */
export function drawCaptcha(text: string, caller: string): Promise<Buffer> {
  return renderQueue.run(caller, async () => {
    const svg = drawSvg(text, { width: 180, height: 60, fontSize: 62, noise: 2 });
    const picture = sharp(Buffer.from(svg), { density: 144 }).flatten({ background: '#ffffff' });
    return picture.png({ palette: true, colours: 16 }).toBuffer();
  });
}

const headerLength = 44;

export const speechRate = 11_025;

export function wavOf(samples: Float32Array, rate: number): Buffer {
  const wav = Buffer.alloc(headerLength + samples.length);
  wav.write('RIFF', 0);
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.write('WAVEfmt ', 8);
  wav.writeUInt32LE(16, 16); // length of the format
  wav.writeUInt16LE(1, 20); // PCM
  wav.writeUInt16LE(1, 22); // channels
  wav.writeUInt32LE(rate, 24);
  wav.writeUInt32LE(rate, 28); // bytes per second
  wav.writeUInt16LE(1, 32); // bytes per sample
  wav.writeUInt16LE(8, 34);
  wav.write('data', 36);
  wav.writeUInt32LE(samples.length, 40);
  for (let index = 0; index < samples.length; index += 1)
    wav[headerLength + index] = Math.max(0, Math.min(255, Math.round(128 + (samples[index] ?? 0) * 127)));
  return wav;
}

export function samplesOf(wav: Buffer): Float32Array {
  return Float32Array.from(wav.subarray(headerLength), (byte) => (byte - 128) / 127);
}

type Clips = ReadonlyMap<string, Float32Array>;
const clipOf = (locale: Locale, character: string) => {
  const folder = locale === 'en' ? 'en' : 'zh';
  return samplesOf(readFileSync(join(projectRoot, 'assets/captcha-speech', folder, `${character}.wav`)));
};
const loaded = new Map<Locale, Clips>();

/** Loaded by the first request that needs them: a start does not wait for them. */
function clipsOf(locale: Locale): Clips {
  const known = loaded.get(locale);
  if (known !== undefined) return known;
  const clips = new Map([...captchaAlphabet].map((name) => [name, clipOf(locale, name)]));
  loaded.set(locale, clips);
  return clips;
}

type Mix = { sound: Float32Array; random: () => number };

/** Random numbers from 0 to 1, fast enough to draw one per sample; the answer is not drawn from them. */
function createRandom(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4_294_967_296;
  };
}

/**
 * Adds a clip at a random, varying speed: its samples and their distances differ from the file. Returns where it
 * ends.
 */
function addClip({ sound, random }: Mix, clip: Float32Array, start: number, volume: number, backwards = false): number {
  const speed = 0.85 + 0.3 * random();
  const [depth, wave, phase] = [0.03 + 0.03 * random(), (2 + 3 * random()) / speechRate, random()];
  const [first, step] = backwards ? [clip.length - 1, -1] : [0, 1];
  let position = 0;
  let at = start;
  for (; position < clip.length - 1 && at < sound.length; at += 1) {
    const index = Math.floor(position);
    const from = clip[first + step * index] ?? 0;
    const to = clip[first + step * (index + 1)] ?? 0;
    sound[at] = (sound[at] ?? 0) + volume * (from + (to - from) * (position - index));
    position += speed * (1 + depth * Math.sin(2 * Math.PI * (phase + wave * at)));
  }
  return at;
}

/** Room noise and meaningless voices: other clips, reversed. */
function addBackground(mix: Mix, voices: Clips): void {
  const { sound, random } = mix;
  const level = 0.03 + 0.03 * random();
  let low = 0;
  for (let at = 0; at < sound.length; at += 1) {
    low = 0.8 * low + (random() - 0.5);
    sound[at] = (sound[at] ?? 0) + level * low;
  }
  const all = [...voices.values()];
  for (let at = 0; ; ) {
    const voice = all[Math.floor(random() * all.length)];
    if (voice === undefined) return;
    const end = addClip(mix, voice, at, 0.12 + 0.1 * random(), true);
    if (end === sound.length) return;
    at = end - Math.floor(0.2 * random() * speechRate);
  }
}

/** The text as a distorted WAV file of at most twelve seconds. Shares the queue with pictures. */
export function speakCaptcha(text: string, locale: Locale, caller: string): Promise<Buffer> {
  return renderQueue.run(caller, async () => wavOf(speak(text, locale).sound, speechRate));
}

/** The samples and where each character begins: for tests, which choose the seed and try to recognise them. */
export function speak(
  text: string,
  locale: Locale,
  seed = randomBytes(4).readUInt32LE(),
): { sound: Float32Array; starts: readonly number[] } {
  const random = createRandom(seed);
  const clips = clipsOf(locale);
  const mix = { sound: new Float32Array(12 * speechRate), random };
  const pause = () => Math.floor((0.3 + 0.5 * random()) * speechRate);
  const starts: number[] = [];
  let end = pause();
  for (const character of text) {
    const clip = clips.get(character);
    starts.push(end);
    if (clip !== undefined) end = addClip(mix, clip, end, 0.55 + 0.3 * random()) + pause();
  }
  const spoken = { sound: mix.sound.subarray(0, end), random };
  addBackground(spoken, clips);
  return { sound: spoken.sound, starts };
}
