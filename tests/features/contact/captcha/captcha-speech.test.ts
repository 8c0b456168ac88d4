import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { captchaAlphabet, samplesOf, speak } from '../../../../src/features/contact/captcha/captcha-rendering.ts';
import { projectRoot } from '../../../../src/project-root.ts';
import type { Locale } from '../../../../src/texts/index.ts';
import { contactFields, contactSettings, post } from '../../../support/contact.ts';
import { createTestClock, startTestApp, type TestApp } from '../../../support/test-app.ts';

const clock = createTestClock();
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ settings: contactSettings, clock });
});
afterAll(() => app.stop());

const folder = path.join(projectRoot, 'assets/captcha-speech');
const files = (locale: Locale) =>
  [...captchaAlphabet].map((name) => ({
    name,
    clip: samplesOf(readFileSync(path.join(folder, locale, `${name}.wav`))),
  }));

/** The file with the highest correlation, within about 10 ms of the start of the character. */
function recognise(sound: Float32Array, start: number, candidates: ReturnType<typeof files>): string {
  let best = { name: '', score: -1 };
  for (const { name, clip } of candidates) {
    const own = clip.reduce((sum, value) => sum + value * value, 0) / 2; // every second sample is compared
    for (let lag = -96; lag <= 96; lag += 4) {
      const heard = sound.subarray(start + lag, start + lag + clip.length);
      let [product, power] = [0, 0];
      for (let index = 0; index < heard.length; index += 2) {
        const value = heard[index] ?? 0;
        product += value * (clip[index] ?? 0);
        power += value * value;
      }
      const score = product / Math.sqrt(power * own + 1e-9);
      if (score > best.score) best = { name, score };
    }
  }
  return best.name;
}

/** Fixed texts and seeds make the test deterministic. */
const fixedTexts = ['KMNY', 'ACE3', 'HPXJ', 'RTW9', 'FCMH'];

const listen = (language: string) =>
  app.anonymous
    .get('/api/contact/captcha')
    .set('Accept', 'audio/wav')
    .set('Accept-Language', language)
    .buffer()
    .parse((response, done) => {
      const parts: Buffer[] = [];
      response.on('data', (part) => parts.push(part));
      response.on('end', () => done(null, Buffer.concat(parts)));
    });

describe('an audio captcha', () => {
  test.each(['en', 'zh'])('is a WAV file with no-store, identified by the cookie (%s)', async (language) => {
    const response = await listen(language).expect(200);
    expect(response.headers['content-type']).toBe('audio/wav');
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.headers['set-cookie']?.[0]).toMatch(
      /^captcha_id=[\w-]{22}; Max-Age=300; Path=\/api\/contact; HttpOnly/,
    );
    const wav: Buffer = response.body;
    expect(wav.toString('latin1', 0, 4) + wav.toString('latin1', 8, 15)).toBe('RIFFWAVEfmt');
    expect(wav.readUInt32LE(40)).toBe(wav.length - 44);
    const seconds = (wav.length - 44) / wav.readUInt32LE(24);
    expect(seconds).toBeGreaterThan(3);
    expect(seconds).toBeLessThanOrEqual(12);
  });

  test('is valid for one attempt, right or wrong, and for five minutes', async () => {
    const cookie = async () => String((await listen('en').expect(200)).headers['set-cookie']?.[0]).split(';')[0] ?? '';
    const send = (captcha: string, sent: string) => post(app, contactFields({ captcha })).set('Cookie', sent);
    const used = await cookie();
    expect((await send('0000', used)).body.errors).toMatchObject([{ field: 'captcha' }]);
    const rows = await app.query('SELECT id FROM contact_captchas WHERE id = $1', [used.replace('captcha_id=', '')]);
    expect(rows).toEqual([]);
    const late = await cookie();
    clock.advance(300_001);
    expect((await send('0000', late)).body.errors).toMatchObject([{ field: 'captcha' }]);
  });

  test('is different each time', () => {
    expect(speak('ACE3', 'en').sound).not.toEqual(speak('ACE3', 'en').sound);
    const lengths = Array.from(
      { length: 8 },
      (_, index) => speak('ACE3', 'en', 2_654_435_761 * (index + 1)).sound.length,
    );
    expect(new Set(lengths).size).toBeGreaterThan(5);
  });

  test.each(['en', 'zh'] as const)('cannot be recognised by comparing it with the files (%s)', (locale) => {
    const candidates = files(locale);
    const solved = (sounds: { text: string; sound: Float32Array; starts: readonly number[] }[]) =>
      sounds.filter(({ text, sound, starts }) => {
        return [...text].every((name, index) => recognise(sound, starts[index] ?? 0, candidates) === name);
      }).length;
    // The undistorted files one after another, as a control.
    const plain = fixedTexts.map((text) => {
      const clips = [...text].map((name) => candidates.find((file) => file.name === name)?.clip ?? new Float32Array());
      const starts = clips.map((_, index) => clips.slice(0, index).reduce((sum, clip) => sum + clip.length, 500));
      const sound = new Float32Array(80_000);
      for (const [index, clip] of clips.entries()) sound.set(clip, starts[index]);
      return { text, sound, starts };
    });
    expect(solved(plain)).toBe(5);
    const distorted = Array.from({ length: 10 }, (_, index) => {
      const text = fixedTexts[index % fixedTexts.length] ?? '';
      return { text, ...speak(text, locale, 2_654_435_761 * (index + 1)) };
    });
    expect(solved(distorted)).toBe(0);
  });

  test('is not louder at its end', () => {
    const sounds = fixedTexts.map((text, index) => speak(text, 'en', 2_654_435_761 * (index + 1)).sound);
    const peaks = sounds.map((sound) => Math.max(...sound.subarray(-1_000).map(Math.abs)));
    expect(Math.max(...peaks)).toBeLessThan(1);
  });

  test('has characters louder than the background', () => {
    const power = (samples: Float32Array) => samples.reduce((sum, value) => sum + value * value, 0) / samples.length;
    for (const locale of ['en', 'zh'] as const) {
      // A background voice may drown a single character, therefore the median counts.
      const ratios = Array.from({ length: 10 }, (_, index) =>
        speak('KMNY', locale, 2_654_435_761 * (index + 1)),
      ).flatMap(({ sound, starts }) =>
        starts.map(
          (start) => power(sound.subarray(start, start + 4_000)) / power(sound.subarray(start - 2_500, start - 200)),
        ),
      );
      expect(ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)]).toBeGreaterThan(4);
    }
  });
});
