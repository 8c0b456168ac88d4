import { createSecretKey, type KeyObject, randomUUID } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { LRUCache } from 'lru-cache';
import type { TokenSubject, VerifiedToken } from '../../../actor.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { TokenFault } from '../../../texts/access-errors.ts';

const issuer = 'studytrack';
const audience = 'studytrack-api';

type TokenOptions = { secrets: readonly string[]; accessSeconds: number; clock: Clock };

/** Access tokens: JWT, only HS256. The first secret signs, all of them verify. */
export function createTokens({ secrets, accessSeconds, clock }: TokenOptions) {
  // Key objects: verifying with a string secret takes fifty times as long.
  const keys = secrets.map((secret) => createSecretKey(Buffer.from(secret, 'utf8')));
  const verified = new LRUCache<string, VerifiedToken>({ max: 20_000 });

  function verify(token: string, key: KeyObject): VerifiedToken | TokenFault {
    try {
      const claims = jwt.verify(token, key, {
        algorithms: ['HS256'],
        issuer,
        audience,
        clockTimestamp: Math.floor(clock().getTime() / 1000),
      });
      if (typeof claims === 'string' || claims.exp === undefined || !/^[1-9]\d{0,15}$/.test(claims.sub ?? ''))
        return 'malformed';
      const sign_in_id = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\./.exec(claims.jti ?? '')?.[1];
      return sign_in_id === undefined
        ? 'malformed'
        : { user_id: Number(claims.sub), sign_in_id, expires: claims.exp * 1000 };
    } catch (error) {
      return error instanceof jwt.TokenExpiredError ? 'expired' : 'malformed'; // only a signed token can be expired
    }
  }

  return {
    accessSeconds,

    /** Valid for `accessSeconds`, but not beyond `until` (milliseconds), the end of the sign-in. */
    sign(subject: TokenSubject, until = Number.POSITIVE_INFINITY): string {
      const [key] = keys;
      if (key === undefined) throw new Error('no signing secret configured');
      const now = Math.floor(clock().getTime() / 1000);
      const claims = {
        iat: now,
        exp: Math.min(now + accessSeconds, Math.floor(until / 1000)),
        jti: `${subject.sign_in_id}.${randomUUID()}`,
      };
      return jwt.sign(claims, key, { algorithm: 'HS256', subject: String(subject.user_id), issuer, audience });
    },

    check(token: string): VerifiedToken | TokenFault {
      const cached = verified.get(token);
      if (cached !== undefined) return cached.expires > clock().getTime() ? cached : 'expired';
      if (token.length > 2000) return 'malformed';
      for (const key of keys) {
        const subject = verify(token, key);
        if (subject === 'malformed') continue; // or signed with another key
        if (typeof subject === 'object') verified.set(token, subject);
        return subject;
      }
      return 'malformed';
    },
  };
}

export type Tokens = ReturnType<typeof createTokens>;
