import type { Request, RequestHandler, Response } from 'express';
import { UnauthorizedError } from '../../errors.ts';
import type { Tokens, VerifiedToken } from '../../features/auth/tokens.ts';
import type { PersonalTokenReader } from '../../features/personal-tokens/personal-token-reader.ts';
import type { Operation } from '../operation.ts';
import { type GeneralLimits, userKey } from '../rate-limit.ts';
import type { RejectedSignIns } from './authenticate.ts';

export type LimitOptions = {
  tokens: Tokens;
  personalTokens: PersonalTokenReader;
  limits: GeneralLimits;
  rejected: RejectedSignIns;
};

/** Checks the token, without reading the account, and counts the request against the user or, without a valid token, the address. */
export function createLimitStep({ tokens, personalTokens, limits, rejected }: LimitOptions) {
  /** The lookup of an unknown personal access token counts against the address, to limit guessing. */
  async function subjectOf(token: string, request: Request, response: Response): Promise<VerifiedToken | undefined> {
    if (!personalTokens.isPersonal(token)) return tokens.check(token);
    const known = personalTokens.known(token);
    if (known !== undefined) return known;
    await limits.address(request, response);
    const subject = await personalTokens.read(token);
    if (subject === undefined) throw new UnauthorizedError('unauthorized');
    return subject;
  }

  async function limitSignedIn(operation: Operation, request: Request, response: Response): Promise<VerifiedToken> {
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
  }

  return (operation: Operation): RequestHandler =>
    async (request, response, next) => {
      request.operation = operation;
      if (operation.unlimited === true) return next();
      if (operation.access === 'public') {
        await limits.address(request, response);
        await operation.limit?.(request, response);
      } else {
        request.subject = await limitSignedIn(operation, request, response);
      }
      next();
    };
}
