import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { type Database, sql } from '../src/db/database.ts';
import { createPasswords } from '../src/features/auth/passwords.ts';
import { createTokens } from '../src/features/auth/tokens.ts';
import { createSeal } from '../src/lib/seal.ts';

/** What some requests need before they can be sent: tokens, a password, captchas whose answers are known, a picture. */
export type Supplies = {
  tokens: Map<number, string>;
  password: string;
  /** The n-th of some active projects of different people. */
  owned(n: number): { project_id: number; user_id: number };
  /** A captcha that nobody has used; each is good for one request. */
  nextCaptcha(): string;
  /** A form with a picture of one megabyte. */
  form: Buffer;
  formType: string;
};

export const captchaAnswer = 'ABCD';
const captchas = 30_000;

const signIn = sql(`INSERT INTO sign_ins (user_id, expires_at) VALUES ($1, now() + interval '1 day') RETURNING id`);
const setPasswords = sql('UPDATE users SET password_hash = $1 WHERE id BETWEEN 100 AND 163');
const insertCaptchas = sql(`
  INSERT INTO contact_captchas (id, answer_digest, expires_at)
  SELECT c.id, decode(c.digest, 'hex'), now() + interval '1 day' FROM unnest($1::text[], $2::text[]) AS c (id, digest)`);
const listOwned = sql(`
  SELECT min(p.id) AS project_id, p.user_id FROM projects p
  WHERE p.id BETWEEN 1000 AND 2000 AND p.status = 'active' AND p.deleted_at IS NULL
  GROUP BY p.user_id ORDER BY 1 LIMIT 256`);
const forgetAttempts = sql('DELETE FROM contact_attempts');

export async function prepare(database: Database, secret: string, callers: Iterable<number>): Promise<Supplies> {
  const projects = await database.rows<{ project_id: number; user_id: number }>(listOwned);
  const tokens = createTokens({ secrets: [secret], accessSeconds: 86_400, clock: () => new Date() });
  const signed = new Map<number, string>();
  for (const user_id of new Set([...callers, ...projects.map((project) => project.user_id)])) {
    const [row] = await database.rows<{ id: string }>(signIn, [user_id]);
    signed.set(user_id, tokens.sign({ user_id, sign_in_id: row?.id ?? '' }));
  }

  const password = randomBytes(12).toString('base64url');
  await database.rows(setPasswords, [await createPasswords().hash(password)]);
  await database.rows(forgetAttempts);
  const unused = await makeCaptchas(database, secret);
  const formType = 'multipart/form-data; boundary=bench';
  return {
    tokens: signed,
    password,
    owned: (n) => {
      const project = projects[n % projects.length];
      if (project === undefined) throw new Error('the database holds no projects: npm run bench:data first');
      return project;
    },
    nextCaptcha: () => {
      const id = unused.pop();
      if (id === undefined) throw new Error(`more than ${captchas} contact requests: measure for a shorter time`);
      return id;
    },
    form: await makeForm(),
    formType,
  };
}

async function makeCaptchas(database: Database, secret: string): Promise<string[]> {
  const seal = createSeal([secret], 'contact captcha');
  const ids = Array.from({ length: captchas }, () => randomBytes(16).toString('base64url'));
  const digests = ids.map((id) => seal.digest(`${id} ${captchaAnswer}`).toString('hex'));
  await database.rows(insertCaptchas, [ids, digests]);
  return ids;
}

/** Noise does not shrink, so the size is known. */
async function makeForm(): Promise<Buffer> {
  const [width, height] = [1200, 900];
  const noise = randomBytes(width * height * 3);
  const picture = await sharp(noise, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 92 })
    .toBuffer();
  const head =
    '--bench\r\nContent-Disposition: form-data; name="image"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n';
  return Buffer.concat([Buffer.from(head), picture, Buffer.from('\r\n--bench--\r\n')]);
}
