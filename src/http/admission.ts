import type { Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { UnauthorizedError } from '../errors.ts';
import type { TokenSubject, Tokens } from '../features/auth/tokens.ts';
import type { PersonalTokenReader } from '../features/personal-tokens/personal-token-reader.ts';
import type { Operation } from './operation.ts';
import { type GeneralLimits, userKey } from './rate-limit.ts';

export type Admission = ReturnType<typeof createAdmission>;

type Options = { tokens: Tokens; personalTokens: PersonalTokenReader; limits: GeneralLimits };

export function createAdmission({ tokens, personalTokens, limits }: Options) {
  /** Sign-ins that the database rejected recently: their requests count against the address. */
  const rejected = new LRUCache<string, true>({ max: 10_000, ttl: 60_000 });

  /** The lookup of an unknown personal access token counts against the address, to limit guessing. */
  async function subjectOf(token: string, request: Request, response: Response): Promise<TokenSubject | undefined> {
    if (!personalTokens.isPersonal(token)) return tokens.check(token);
    const known = personalTokens.known(token);
    if (known !== undefined) return known;
    await limits.address(request, response);
    const subject = await personalTokens.read(token);
    if (subject === undefined) throw new UnauthorizedError('unauthorized');
    return subject;
  }

  return {
    async admit(operation: Operation, request: Request, response: Response): Promise<TokenSubject | undefined> {
      if (operation.unlimited === true) return undefined;
      if (operation.access === 'public') {
        await limits.address(request, response);
        await operation.limit?.(request, response);
        return undefined;
      }
      const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
      const subject = token === undefined ? undefined : await subjectOf(token, request, response);
      if (subject !== undefined && !rejected.has(subject.sign_in_id)) {
        const key = userKey(subject.user_id);
        await limits.user(request, response, key);
        if (operation.cost !== undefined) await limits.costs[operation.cost]?.(request, response, key);
        return subject;
      }
      await limits.address(request, response);
      if (subject === undefined) throw new UnauthorizedError('unauthorized');
      return subject;
    },

    reject: ({ sign_in_id }: TokenSubject) => void rejected.set(sign_in_id, true),
  };
}
