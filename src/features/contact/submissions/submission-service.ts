import { type Clock, windowAround } from '../../../lib/clock.ts';
import { normaliseAddress } from '../../../lib/network/address.ts';
import { type AppError, type FieldError, RateLimitedError, ValidationError } from '../../../texts/errors.ts';
import type { Db, Tx } from '../../../transactions/transactions.ts';
import type { CaptchaService } from '../captcha/captcha-service.ts';
import type { NotifyOfRequest } from './contact-mailer.ts';
import type { AttemptPurpose, Blocks, Sender } from './contact-repository.ts';
import { contactAttempts, submissions } from './contact-repository.ts';
import type { Submission } from './contact-schemas.ts';
import type { SpamMatcher } from './spam/spam-matcher.ts';

const windowMs = 3_600_000;
const perHour = 5;
const rejections = { contact: 'too_many_submissions', password_reset: 'too_many_reset_requests' } as const;

export type SubmissionLimitOptions = { store: Db; clock: Clock; purpose: AttemptPurpose; isEnabled: boolean };
type SubmissionLimit = ReturnType<typeof createSubmissionLimit>;

/**
 * Sliding window of one hour: five submissions per e-mail and per address, of which one contact request per e-mail is
 * accepted. Exact across processes: submissions of one e-mail or address are serialised.
 */
export function createSubmissionLimit({ store, clock, purpose, isEnabled }: SubmissionLimitOptions) {
  const rule = { purpose, limit: perHour };
  const secondsUntilFree = ({ full_since, accepted_at }: Blocks, now: Date): number => {
    const blocks = [full_since, accepted_at].filter((time) => time !== null);
    return (Math.max(...blocks.map(Date.parse)) + windowMs - now.getTime()) / 1000;
  };

  return {
    /**
     * Counts a submission; returns the error if it exceeds a limit. One that is rejected because an earlier one was
     * accepted is counted; one over the five is not, or each attempt would extend the wait.
     */
    async admit(tx: Tx, sender: Sender): Promise<RateLimitedError | undefined> {
      if (!isEnabled) return undefined;
      await contactAttempts.lock(tx, sender);
      const now = clock();
      const window = windowAround(now, windowMs);
      const before = await contactAttempts.findBlocks(tx, sender, window, rule);
      if (before.full_since !== null) return new RateLimitedError(secondsUntilFree(before, now), rejections[purpose]);

      const isAccepted = purpose === 'contact' && before.accepted_at === null;
      await contactAttempts.insert(tx, sender, purpose, isAccepted, now);
      if (before.accepted_at === null) return undefined;
      const after = await contactAttempts.findBlocks(tx, sender, window, rule);
      return new RateLimitedError(secondsUntilFree(after, now), 'already_submitted');
    },

    /** Deletes attempts that no longer count: after twice the window, because the clocks of processes may differ. */
    deleteOld: () => contactAttempts.deleteOutside(store, windowAround(clock(), 2 * windowMs)),
  };
}

export type Submitter = { address: string; user_agent: string };

export type SubmissionServiceOptions = {
  captchas: CaptchaService;
  limit: SubmissionLimit;
  spam: SpamMatcher;
  /** Tells the administrators, after the commit. */
  notify: NotifyOfRequest;
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
      store: Db,
      submission: Submission,
      captchaId: string | undefined,
      from: Submitter,
    ): Promise<number | AppError> {
      return store.asService(async (tx) => {
        if (!(await captchas.compare(tx, captchaId, submission.captcha)))
          return ValidationError.of('captcha', 'captcha_wrong');
        const sender = { email: submission.email.toLowerCase(), address: normaliseAddress(from.address) };
        const rejection = checkSpam(submission) ?? (await limit.admit(tx, sender));
        if (rejection !== undefined) return rejection;
        const user_agent = [...from.user_agent].slice(0, 512).join('');
        const request = await submissions.insert(tx, { ...submission, ip_address: from.address, user_agent }, clock());
        tx.record({ type: 'contact.created', request });
        await notify(tx, request.id);
        return request.id;
      });
    },
  };
}
