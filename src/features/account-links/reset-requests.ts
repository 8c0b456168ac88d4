import type { RateLimitedError } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import { normaliseAddress } from '../../lib/network/address.ts';
import type { Locale } from '../../messages/index.ts';
import type { Store } from '../../store.ts';
import type { SubmissionLimit } from '../contact/submission-service.ts';
import type { AccountLinkService } from './account-link-service.ts';

const maxPerRun = 100;
/** Older requests, such as those from before an outage, are dropped: nobody waits for their mail any more. */
const maximumAge = 3_600_000;

type Options = { store: Store; limit: SubmissionLimit; links: AccountLinkService; clock: Clock };
export type ResetRequests = ReturnType<typeof createResetRequests>;

/**
 * Unauthenticated requests for a reset link are only counted and stored, which takes the same time for every address;
 * a job looks up the account. Neither the response nor its timing reveals which accounts exist.
 */
export function createResetRequests({ store, limit, links, clock }: Options) {
  async function processNext(): Promise<boolean> {
    return store.transaction(async (tx) => {
      const request = await tx.resetRequests.takeNext();
      if (request === undefined) return false;
      const age = clock().getTime() - Date.parse(request.requested_at);
      if (age < maximumAge) await links.mailReset(tx, request.email, request.locale);
      return true;
    });
  }

  return {
    /** Returns the error if there were too many; does not reveal whether an account has the address. */
    add: (email: string, address: string, locale: Locale): Promise<RateLimitedError | undefined> =>
      store.transaction(async (tx) => {
        const sender = { email: email.toLowerCase(), address: normaliseAddress(address) };
        const rejection = await limit.admit(tx, sender);
        if (rejection === undefined) await tx.resetRequests.insert(sender.email, locale, clock());
        return rejection;
      }),

    async processAll(): Promise<void> {
      for (let done = 0; done < maxPerRun; done += 1) if (!(await processNext())) return;
    },
  };
}
