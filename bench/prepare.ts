import { randomBytes } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import type pg from 'pg';
import sharp from 'sharp';
import { createTokens } from '../src/features/auth/tokens.ts';
import { createSeal } from '../src/lib/secrets/seal.ts';

/** What requests need: tokens, a password, captchas with known answers, an image. */
export type Fixtures = {
  tokens: Map<number, string>;
  password: string;
  /** The n-th of some active projects with different owners. */
  owned(n: number): { project_id: number; user_id: number };
  /** An unused captcha; each is valid for one request. */
  nextCaptcha(): string;
  /** A form with an image of one megabyte. */
  form: Buffer;
  formType: string;
};

export const captchaAnswer = 'ABCD';
const captchas = 30_000;
/** The parameters of the service: they determine the cost of verifying. */
const hashing = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

const signIn = `INSERT INTO sign_ins (user_id, expires_at) VALUES ($1, now() + interval '1 day') RETURNING id`;
const setPasswords = 'UPDATE users SET password_hash = $1 WHERE id = 21 OR id BETWEEN 100 AND 163';
const insertCaptchas = `
  INSERT INTO contact_captchas (id, answer_digest, expires_at)
  SELECT c.id, decode(c.digest, 'hex'), now() + interval '1 day' FROM unnest($1::text[], $2::text[]) AS c (id, digest)`;
const listOwned = `
  SELECT min(p.id)::integer AS project_id, p.user_id::integer FROM projects p
  WHERE p.id BETWEEN 1000 AND 2000 AND p.status = 'active' AND p.deleted_at IS NULL
  GROUP BY p.user_id ORDER BY 1 LIMIT 256`;
const deleteAttempts = 'DELETE FROM contact_attempts';

export async function prepare(database: pg.Pool, secret: string, callers: Iterable<number>): Promise<Fixtures> {
  const { rows: projects } = await database.query<{ project_id: number; user_id: number }>(listOwned);
  const tokens = createTokens({ secrets: [secret], accessSeconds: 86_400, clock: () => new Date() });
  const signed = new Map<number, string>();
  for (const user_id of new Set([...callers, ...projects.map((project) => project.user_id)])) {
    const [row] = (await database.query<{ id: string }>(signIn, [user_id])).rows;
    signed.set(user_id, tokens.sign({ user_id, sign_in_id: row?.id ?? '' }));
  }

  const password = randomBytes(12).toString('base64url');
  await database.query(setPasswords, [await hash(password, hashing)]);
  await database.query(deleteAttempts);
  const unused = await createCaptchas(database, secret);
  const formType = 'multipart/form-data; boundary=bench';
  return {
    tokens: signed,
    password,
    owned: (n) => {
      const project = projects[n % projects.length];
      if (project === undefined) throw new Error('the database contains no projects: run npm run bench:data first');
      return project;
    },
    nextCaptcha: () => {
      const id = unused.pop();
      if (id === undefined) throw new Error(`more than ${captchas} contact requests: measure for a shorter time`);
      return id;
    },
    form: await createForm(),
    formType,
  };
}

async function createCaptchas(database: pg.Pool, secret: string): Promise<string[]> {
  const seal = createSeal([secret], 'contact captcha');
  const ids = Array.from({ length: captchas }, () => randomBytes(16).toString('base64url'));
  const digests = ids.map((id) => seal.digest(`${id} ${captchaAnswer}`).toString('hex'));
  await database.query(insertCaptchas, [ids, digests]);
  return ids;
}

/** Noise does not compress, so the size is predictable. */
async function createForm(): Promise<Buffer> {
  const [width, height] = [1200, 900];
  const noise = randomBytes(width * height * 3);
  const picture = await sharp(noise, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 92 })
    .toBuffer();
  const head =
    '--bench\r\nContent-Disposition: form-data; name="image"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n';
  return Buffer.concat([Buffer.from(head), picture, Buffer.from('\r\n--bench--\r\n')]);
}
