import { randomBytes } from 'node:crypto';
import type { Executor } from '../../db/database.ts';
import { normaliseAddress } from '../../lib/address.ts';
import type { Clock } from '../../lib/clock.ts';
import { createSeal } from '../../lib/seal.ts';
import { drawCaptcha, randomCaptchaText } from './captcha-image.ts';
import { createCaptchaRepository } from './captcha-repository.ts';

export const captchaSeconds = 300;

export type IssuedCaptcha = { id: string; answer: string; png: Buffer };
export type CaptchaService = ReturnType<typeof createCaptchaService>;

/** Captchas are kept as a keyed digest: four characters would be guessed from a plain one at once. */
export function createCaptchaService(secrets: readonly string[], clock: Clock) {
  const seal = createSeal(secrets, 'contact captcha');
  const content = (id: string, answer: string) => `${id} ${answer.toUpperCase()}`;

  return {
    async issue(db: Executor, address: string): Promise<IssuedCaptcha> {
      const id = randomBytes(16).toString('base64url');
      const answer = randomCaptchaText();
      const png = await drawCaptcha(answer, `address ${normaliseAddress(address)}`);
      const expiresAt = new Date(clock().getTime() + captchaSeconds * 1000);
      await createCaptchaRepository(db).insert(id, seal.digest(content(id, answer)), expiresAt);
      return { id, answer, png };
    },

    /** Whether the answer is right. The captcha is used up by the comparison, whatever its outcome. */
    async compare(db: Executor, id: string | undefined, answer: string): Promise<boolean> {
      if (id === undefined || !/^[\w-]{22}$/.test(id)) return false; // none of ours, and no text that PostgreSQL refuses
      const captcha = await createCaptchaRepository(db).take(id, clock());
      return captcha?.valid === true && seal.matches(content(id, answer), captcha.answer_digest);
    },

    /** Removes what has expired; for the periodic housekeeping. */
    sweep: (db: Executor): Promise<void> => createCaptchaRepository(db).deleteExpired(clock()),
  };
}
