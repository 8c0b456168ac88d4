import { type AppError, type FieldError, ValidationError } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import { normaliseAddress } from '../../lib/network/address.ts';
import type { Store } from '../../store.ts';
import type { CaptchaService } from '../captcha/captcha-service.ts';
import type { NotifyOfRequest } from './contact-mailer.ts';
import type { Submission } from './contact-schemas.ts';
import type { SpamMatcher } from './spam/spam-matcher.ts';
import type { SubmissionLimit } from './submission-limit.ts';

export type Submitter = { address: string; user_agent: string };

export type SubmissionServiceOptions = {
  captchas: CaptchaService;
  limit: SubmissionLimit;
  spam: SpamMatcher;
  /** Queues a mail to the administrators; undefined without recipients. */
  notify: NotifyOfRequest | undefined;
  clock: Clock;
};

export type SubmissionService = ReturnType<typeof createSubmissionService>;

export function createSubmissionService({ captchas, limit, spam, notify, clock }: SubmissionServiceOptions) {
  function checkSpam(submission: Submission): ValidationError | undefined {
    const errors = (['name', 'message'] as const).flatMap((field): FieldError[] => {
      const family = spam.match(submission[field]);
      return family === null ? [] : [{ field, message: { key: `spam_${family}` } }];
    });
    return errors.length > 0 ? new ValidationError(errors) : undefined;
  }

  return {
    /**
     * Checks the captcha, the spam filter and the limits, in this order, stores the request and returns its id. A
     * rejection is returned, not thrown, so that the used captcha and the counted attempt are committed.
     */
    submit(
      store: Store,
      submission: Submission,
      captchaId: string | undefined,
      from: Submitter,
    ): Promise<number | AppError> {
      return store.transaction(async (tx) => {
        if (!(await captchas.compare(tx, captchaId, submission.captcha)))
          return ValidationError.of('captcha', 'captcha_wrong');
        const sender = { email: submission.email.toLowerCase(), address: normaliseAddress(from.address) };
        const rejection = checkSpam(submission) ?? (await limit.admit(tx, sender));
        if (rejection !== undefined) return rejection;
        const user_agent = [...from.user_agent].slice(0, 512).join('');
        const request = await tx.submissions.insert({ ...submission, ip_address: from.address, user_agent }, clock());
        tx.record({ type: 'contact.created', request });
        await notify?.(tx, request.id);
        return request.id;
      });
    },
  };
}
