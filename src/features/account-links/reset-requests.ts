import type { RateLimitedError } from '../../errors.ts';
import { normaliseAddress } from '../../lib/address.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Locale } from '../../messages/index.ts';
import type { Store } from '../../store.ts';
import type { SubmissionLimit } from '../contact/submission-limit.ts';
import type { AccountLinkService } from './account-link-service.ts';

const mostPerRun = 100;
/** After so long nobody waits for the mail any more, such as after a stop of the service. */
const maximumAge = 3_600_000;

type Options = { store: Store; limit: SubmissionLimit; links: AccountLinkService; clock: Clock };
export type ResetRequests = ReturnType<typeof createResetRequests>;

/**
 * Requests of strangers for a link. A request is only counted and written down, which is the same work for every address; a
 * job looks for the account. So neither the response nor its time reveals which accounts exist.
 */
export function createResetRequests({ store, limit, links, clock }: Options) {
  async function answerNext(): Promise<boolean> {
    return store.transaction(async (tx) => {
      const request = await tx.resetRequests.takeNext();
      if (request === undefined) return false;
      const age = clock().getTime() - Date.parse(request.requested_at);
      if (age < maximumAge) await links.mailReset(tx, request.email, request.locale);
      return true;
    });
  }

  return {
    /** Returns the error when there were too many; nothing says whether an account has the address. */
    add: (email: string, address: string, locale: Locale): Promise<RateLimitedError | undefined> =>
      store.transaction(async (tx) => {
        const sender = { email: email.toLowerCase(), address: normaliseAddress(address) };
        const rejection = await limit.admit(tx, sender);
        if (rejection === undefined) await tx.resetRequests.insert(sender.email, locale, clock());
        return rejection;
      }),

    /** Mails the links that were asked for. */
    async answerAll(): Promise<void> {
      for (let done = 0; done < mostPerRun; done += 1) if (!(await answerNext())) return;
    },
  };
}
