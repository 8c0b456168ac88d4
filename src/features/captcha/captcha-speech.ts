import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../lib/project-root.ts';
import type { Locale } from '../../messages/index.ts';
import { captchaAlphabet, drawing } from './captcha-image.ts';
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

/** Where speech is put together, and what is drawn at random for it. */
type Studio = { sound: Float32Array; random: () => number };

/** Random numbers from 0 to 1, fast enough for a sample each; they are never the answer. */
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
 * Adds a clip, with a speed and pitch that differ from request to request and waver within it: neither the samples nor
 * their distances are those of the file. Returns where it ends.
 */
function addClip(
  { sound, random }: Studio,
  clip: Float32Array,
  start: number,
  volume: number,
  backwards = false,
): number {
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

/** Noise like that of a room, and voices that say nothing: other clips, backwards. */
function addBackground(studio: Studio, voices: Clips): void {
  const { sound, random } = studio;
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
    at = addClip(studio, voice, at, 0.12 + 0.1 * random(), true) - Math.floor(0.2 * random() * speechRate);
  }
}

/** The text as a distorted WAV file of at most twelve seconds. Callers take turns with those who want pictures. */
export function speakCaptcha(text: string, locale: Locale, caller: string): Promise<Buffer> {
  return drawing.run(caller, async () => wavOf(speak(text, locale).sound, speechRate));
}

/** The samples, and where each character begins: for tests, which try to recognise them and choose the seed. */
export function speak(
  text: string,
  locale: Locale,
  seed = randomBytes(4).readUInt32LE(),
): { sound: Float32Array; starts: readonly number[] } {
  const random = createRandom(seed);
  const clips = clipsOf(locale);
  const studio = { sound: new Float32Array(12 * speechRate), random };
  const pause = () => Math.floor((0.3 + 0.5 * random()) * speechRate);
  const starts: number[] = [];
  let end = pause();
  for (const character of text) {
    const clip = clips.get(character);
    starts.push(end);
    if (clip !== undefined) end = addClip(studio, clip, end, 0.55 + 0.3 * random()) + pause();
  }
  const spoken = { sound: studio.sound.subarray(0, end), random };
  addBackground(spoken, clips);
  return { sound: spoken.sound, starts };
}
