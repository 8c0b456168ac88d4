import type { Executor } from '../../db/database.ts';
import { type FieldError, ValidationError } from '../../errors.ts';
import { normaliseAddress } from '../../lib/address.ts';
import type { Clock } from '../../lib/clock.ts';
import type { CaptchaService } from './captcha-service.ts';
import { commitOnError } from './commit-on-error.ts';
import { createContactRepository } from './contact-repository.ts';
import type { Submission } from './contact-schemas.ts';
import { createOutboxRepository } from './outbox-repository.ts';
import type { SpamMatcher } from './spam/spam-matcher.ts';
import type { SubmissionLimit } from './submission-limit.ts';

/** Who submits: the address, and what the client calls itself. */
export type Submitter = { address: string; user_agent: string };

export type SubmissionServiceOptions = {
  captchas: CaptchaService;
  limit: SubmissionLimit;
  spam: SpamMatcher;
  /** Whether administrators are mailed about it. */
  notify: boolean;
  clock: Clock;
};

export type SubmissionService = ReturnType<typeof createSubmissionService>;

/** The public side of contact requests. */
export function createSubmissionService({ captchas, limit, spam, notify, clock }: SubmissionServiceOptions) {
  function assertNoSpam(submission: Submission): void {
    const errors = (['name', 'message'] as const).flatMap((field): FieldError[] => {
      const family = spam.match(submission[field]);
      return family === null ? [] : [{ field, message: { key: `spam_${family}` } }];
    });
    if (errors.length > 0) throw commitOnError(new ValidationError(errors));
  }

  return {
    /**
     * Takes a request whose fields are right: captcha, spam, limits, in this order. Answers its id; throws
     * ValidationError or RateLimitedError.
     */
    submit(db: Executor, submission: Submission, captchaId: string | undefined, from: Submitter): Promise<number> {
      return db.transaction(async (tx) => {
        if (!(await captchas.compare(tx, captchaId, submission.captcha)))
          throw commitOnError(ValidationError.of('captcha', 'captcha_wrong'));
        assertNoSpam(submission);
        await limit.admit(tx, { email: submission.email.toLowerCase(), address: normaliseAddress(from.address) });
        const user_agent = [...from.user_agent].slice(0, 512).join('');
        const id = await createContactRepository(tx).insert(
          { ...submission, ip_address: from.address, user_agent },
          clock(),
        );
        if (notify) await createOutboxRepository(tx).insert(id);
        return id;
      });
    },
  };
}
