import type { VerifiedToken } from '../actor.ts';
import type { Identity } from './caller.ts';
import type { Input, Operation, Work } from './operation.ts';
import type { Reply, ReplyStream } from './reply.ts';
import type { RequestInfo } from './request.ts';

declare global {
  namespace Express {
    /** Each step of an operation (mount.ts) sets what the later ones use. */
    interface Request {
      info: RequestInfo;
      operation?: Operation;
      /** From the token, without a look into the database. */
      subject?: VerifiedToken;
      bodyError?: unknown;
      releaseSlot?: () => void;
      input?: Input;
      identity?: Identity;
      work?: Work;
      reply?: Reply | ReplyStream;
    }
  }
}

/** What `step` has set on the request. */
export function setBy<T>(step: string, value: T | undefined): T {
  if (value === undefined) throw new Error(`the step ${step} did not run`);
  return value;
}
