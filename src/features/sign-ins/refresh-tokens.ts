import { createHash, createHmac, randomBytes } from 'node:crypto';
import { deriveKeys } from '../../lib/derived-key.ts';

export const refreshTokenDays = 30;
/** A sign-in ends so many days after it began, however often it is refreshed. */
export const signInDays = 90;

export type RefreshTokens = ReturnType<typeof createRefreshTokens>;

/**
 * Refresh tokens: 256 opaque bits, of which the database stores only the SHA-256. The successor is derived from the used
 * token and a secret of the service, so a client that sends the used one again gets the same successor, in every process,
 * although it is stored nowhere.
 */
export function createRefreshTokens(secrets: readonly string[]) {
  const [key] = deriveKeys(secrets, 'refresh token');

  return {
    create: (): string => randomBytes(32).toString('base64url'),
    successor: (token: string): string => createHmac('sha256', key).update(token).digest('base64url'),
    hash: (token: string): Buffer => createHash('sha256').update(token).digest(),
  };
}
