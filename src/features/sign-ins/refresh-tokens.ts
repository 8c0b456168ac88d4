import { createHash, createHmac, type KeyObject, randomBytes } from 'node:crypto';
import { deriveKeys } from '../../lib/secrets/derived-key.ts';

export const refreshTokenDays = 30;
/** A sign-in ends this many days after it started, however often it is refreshed. */
export const signInDays = 90;

export type RefreshTokens = ReturnType<typeof createRefreshTokens>;

/**
 * Opaque tokens of 256 bits, of which the database stores only the SHA-256. The successor is derived from the used
 * token and a secret of the service: a client that repeats a request gets the same successor, from any process,
 * although it is not stored.
 */
export function createRefreshTokens(secrets: readonly string[]) {
  const keys = deriveKeys(secrets, 'refresh token');
  const successor = (token: string, key: KeyObject) => createHmac('sha256', key).update(token).digest('base64url');

  return {
    create: (): string => randomBytes(32).toString('base64url'),
    successor: (token: string): string => successor(token, keys[0]),
    /** Also those that were derived before the current secret replaced a former one. */
    possibleSuccessors: (token: string): string[] => keys.map((key) => successor(token, key)),
    hash: (token: string): Buffer => createHash('sha256').update(token).digest(),
  };
}
