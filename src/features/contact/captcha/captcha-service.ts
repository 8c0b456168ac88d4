import { randomBytes } from 'node:crypto';
import type { Clock } from '../../../lib/clock.ts';
import { normaliseAddress } from '../../../lib/network/address.ts';
import { createEncryption } from '../../../lib/secrets/encryption.ts';
import type { Db, Tx } from '../../../transactions/transactions.ts';
import { randomCaptchaText } from './captcha-rendering.ts';
import * as captchaRepository from './captcha-repository.ts';

export const captchaSeconds = 300;

export type IssuedCaptcha = { id: string; answer: string; content: Buffer };
/** Renders the text so that it is hard to read for programs; queued by `caller`. */
export type Render = (text: string, caller: string) => Promise<Buffer>;
export type CaptchaServiceOptions = { store: Db; secrets: readonly string[]; clock: Clock };
export type CaptchaService = ReturnType<typeof createCaptchaService>;

/** Captchas are stored as keyed digests: four characters can be found from a plain digest at once. */
export function createCaptchaService({ store, secrets, clock }: CaptchaServiceOptions) {
  const encryption = createEncryption(secrets, 'contact captcha');
  const content = (id: string, answer: string) => `${id} ${answer.toUpperCase()}`;

  return {
    async issue(address: string, render: Render): Promise<IssuedCaptcha> {
      const id = randomBytes(16).toString('base64url');
      const answer = randomCaptchaText();
      const rendered = await render(answer, `address ${normaliseAddress(address)}`);
      const expiresAt = new Date(clock().getTime() + captchaSeconds * 1000);
      await captchaRepository.insert(store, id, encryption.digest(content(id, answer)), expiresAt);
      return { id, answer, content: rendered };
    },

    async compare(tx: Tx, id: string | undefined, answer: string): Promise<boolean> {
      if (id === undefined || !/^[\w-]{22}$/.test(id)) return false; // not issued here; may be text that PostgreSQL rejects
      const captcha = await captchaRepository.take(tx, id);
      const isValid = captcha !== undefined && Date.parse(captcha.expires_at) > clock().getTime();
      return isValid && encryption.matches(content(id, answer), captcha.answer_digest);
    },

    deleteExpired: () => captchaRepository.deleteExpired(store, clock()),
  };
}
