import { randomUUID } from 'node:crypto';
import type { Actor } from '../../../actor.ts';
import type { Clock } from '../../../lib/clock.ts';
import { NotFoundError, ValidationError } from '../../../texts/errors.ts';
import { type Locale, translate } from '../../../texts/index.ts';
import type { Db } from '../../../transactions/transactions.ts';
import type { Destination } from './channel-messages.ts';
import { type ChannelSender, type DestinationSecrets, sendTo } from './channel-outbox.ts';
import type { ChannelRow } from './channel-repository.ts';
import * as channels from './channel-repository.ts';
import type { ChannelPatch, DestinationPatch, TestResult } from './channel-schemas.ts';

type Options = {
  store: Db;
  sender: ChannelSender;
  destinations: DestinationSecrets;
  ownUrl: string;
  clock: Clock;
};
export type ChannelService = ReturnType<typeof createChannelService>;
export type FoundChannel = ChannelRow & { to: Destination };

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'FAILED';

/** The channel of a person, beside mail. */
export function createChannelService({ store, sender, destinations, ownUrl, clock }: Options) {
  const readable = (row: ChannelRow | undefined): FoundChannel | undefined => {
    const to = row && destinations.read(row.destination);
    return row && to && { ...row, to };
  };

  /** What is stored, with what the request changes. Queries DNS, so it runs outside transactions. */
  async function destinationOf(stored: Destination | undefined, patch: DestinationPatch): Promise<Destination> {
    const { kind = stored?.kind, url = stored?.url } = patch;
    if (kind === undefined) throw ValidationError.of('kind', 'required');
    // The address and secret of one service mean nothing to another.
    const isOther = stored !== undefined && kind !== stored.kind;
    if (url === undefined || (isOther && patch.url === undefined)) throw ValidationError.of('url', 'required');
    const target = new URL(url);
    if (!sender.isAllowed(target) || !(await sender.resolvesToPublic(target)))
      throw ValidationError.of('url', 'webhook_target');
    const kept = isOther ? undefined : stored;
    const { secret = kept?.secret ?? null, keyword = kept?.keyword ?? null } = patch;
    return { kind, url, secret, keyword };
  }

  return {
    find: async (userId: number) => readable(await channels.find(store, userId)),

    /** From then on, nothing older is sent to another address, or of a kind that was not sent before. */
    async save(actor: Actor, patch: ChannelPatch): Promise<FoundChannel> {
      const stored = readable(await channels.find(store, actor.id))?.to;
      const { streak_hour: _hour, weekly: _weekly, new_requests: _requests, ...destination } = patch;
      // What it gets can be changed, and switched off, also while its address is not allowed.
      const isKept = stored !== undefined && Object.keys(destination).length === 0;
      const changed = isKept ? undefined : await destinationOf(stored, destination);
      return store.transaction(actor.context, async (tx) => {
        await channels.lockOwner(tx, actor.id);
        const before = await channels.find(tx, actor.id);
        const to = changed ?? readable(before)?.to;
        if (to === undefined) throw ValidationError.of('kind', 'required'); // removed by another request
        const { streak_hour = before?.streak_hour ?? null } = patch;
        const { weekly = before?.weekly ?? false, new_requests = before?.new_requests ?? false } = patch;
        const isKnown =
          changed === undefined &&
          before !== undefined &&
          (streak_hour === null || streak_hour === before.streak_hour) &&
          weekly <= before.weekly &&
          new_requests <= before.new_requests;
        const row = await channels.save(tx, actor.id, {
          destination: changed === undefined && before ? before.destination : destinations.encrypt(JSON.stringify(to)),
          streak_hour,
          weekly,
          new_requests,
          since: isKnown ? new Date(before.since) : clock(),
        });
        return { ...row, to };
      });
    },

    remove: (actor: Actor): Promise<void> =>
      store.transaction(actor.context, async (tx) => {
        if ((await channels.remove(tx, actor.id)) === 0) throw new NotFoundError('channel_not_found');
      }),

    /** Sends with the values of the form, before they are saved. */
    async test(actor: Actor, patch: DestinationPatch, locale: Locale): Promise<TestResult> {
      const to = await destinationOf(readable(await channels.find(store, actor.id))?.to, patch);
      const message = {
        title: translate({ key: 'channel_test_title' }, locale),
        text: translate({ key: 'channel_test_text' }, locale),
        page: `${ownUrl}/me`,
      };
      const began = performance.now();
      const milliseconds = () => Math.round(performance.now() - began);
      try {
        const { status, text } = await sendTo(sender, to, message, { id: `msg_${randomUUID()}`, now: clock() });
        return { arrived: true, milliseconds: milliseconds(), status, answer: text, error_code: null };
      } catch (error) {
        const { status = null, text = null } = error as { status?: number; text?: string };
        return { arrived: false, milliseconds: milliseconds(), status, answer: text, error_code: codeOf(error) };
      }
    },
  };
}
