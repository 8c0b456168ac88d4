import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { createTokens } from '../src/features/accounts/sign-ins/tokens.ts';

/** What requests need: access tokens by user, and some active projects with different owners. */
export type Fixtures = {
  secret: string;
  tokens: ReadonlyMap<number, string>;
  /** The n-th reader; there are more than the list cache holds lists of, with data of `--scale small`. */
  reader(n: number): number;
  owned(n: number): { project_id: number; user_id: number };
};

/** The administrators whom `load.ts` creates. The service limits the concurrent work of each caller, so the load has several. */
export const administrator = (n = 0) => 21 - (n % 16);

const signIn = `
  INSERT INTO sign_ins (user_id, expires_at)
  SELECT id, now() + interval '1 day' FROM users
  WHERE id <= 21 OR id BETWEEN 100 AND 20000 OR id = (SELECT user_id FROM projects WHERE id = 1)
  RETURNING user_id::integer, id`;
const listOwned = `
  SELECT min(p.id)::integer AS project_id, p.user_id::integer FROM projects p
  WHERE p.id BETWEEN 1000 AND 2000 AND p.status = 'active' AND p.deleted_at IS NULL
    AND p.user_id BETWEEN 100 AND 20000
  GROUP BY p.user_id ORDER BY 1 LIMIT 256`;

/** Signs users in without their passwords, thousands at once, which no interface does. */
export async function prepare(database: pg.Pool): Promise<Fixtures> {
  const secret = randomBytes(48).toString('base64');
  const tokens = createTokens({ secrets: [secret], accessSeconds: 86_400, clock: () => new Date() });
  const { rows: signIns } = await database.query<{ user_id: number; id: string }>(signIn);
  const { rows: projects } = await database.query<{ project_id: number; user_id: number }>(listOwned);
  const readers = signIns.map(({ user_id }) => user_id).filter((id) => id >= 100 && id <= 20_000);
  if (projects.length === 0 || readers.length === 0)
    throw new Error('the database contains no benchmark data: run npm run bench:data first');
  return {
    secret,
    tokens: new Map(signIns.map(({ user_id, id }) => [user_id, tokens.sign({ user_id, sign_in_id: id })])),
    reader: (n) => readers[n % readers.length] ?? administrator(),
    owned: (n) => projects[n % projects.length] ?? { project_id: 0, user_id: 0 },
  };
}
