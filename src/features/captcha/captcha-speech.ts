import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../lib/project-root.ts';
import type { Locale } from '../../messages/index.ts';
import { captchaAlphabet, renderQueue } from './captcha-image.ts';
import { samplesOf, speechRate, wavOf } from './wav.ts';

type Clips = ReadonlyMap<string, Float32Array>;
const clipOf = (locale: Locale, character: string) =>
  samplesOf(readFileSync(join(projectRoot, 'assets/captcha-speech', locale, `${character}.wav`)));
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
  let position = 0;
  let at = start;
  for (; position < clip.length - 1 && at < sound.length; at += 1) {
    const index = Math.floor(position);
    const [from = 0, to = 0] = backwards
      ? [clip[clip.length - 1 - index], clip[clip.length - 2 - index]]
      : [clip[index], clip[index + 1]];
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
  for (let at = 0; at < sound.length; ) {
    const voice = all[Math.floor(random() * all.length)];
    if (voice === undefined) return;
    at = addClip(mix, voice, at, 0.12 + 0.1 * random(), true) - Math.floor(0.2 * random() * speechRate);
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
