import { z } from 'zod';
import type { Clock } from '../../../lib/clock.ts';
import type { Job } from '../../../lib/jobs.ts';
import { createEncryption, type Encryption } from '../../../lib/secrets/encryption.ts';
import { type Locale, translate } from '../../../texts/index.ts';
import type { Db, Tx } from '../../../transactions/transactions.ts';
import {
  type BackgroundWorkOptions,
  createJobQueue,
  createQueueWorkers,
} from '../background-work/background-worker.ts';
import { exponentialBackoff, type JobKind } from '../background-work/job-kind.ts';
import { maySeeScope, messageScope } from '../message-scope-repository.ts';
import { type ChannelMessage, type Destination, errorInAnswer, requestOf } from './channel-messages.ts';
import * as channels from './channel-repository.ts';

/** Checks each address when it connects; see the sender of webhooks. */
export type ChannelSender = {
  isAllowed(url: URL): boolean;
  resolvesToPublic(url: URL): Promise<boolean>;
  post(url: URL, headers: Readonly<Record<string, string>>, body: string): Promise<{ status: number; text: string }>;
};

class ChannelError extends Error {
  override readonly name = 'ChannelError';
  readonly code: string;
  readonly status: number;
  readonly text: string;

  constructor(code: string, { status, text }: { status: number; text: string }) {
    super(code);
    this.code = code;
    this.status = status;
    this.text = text;
  }
}

/** Sends a message; throws unless the receiver has accepted it. */
export async function sendTo(
  sender: ChannelSender,
  destination: Destination,
  message: ChannelMessage,
  { id, now }: { id: string; now: Date },
) {
  const { url, headers, body } = requestOf(destination, message, id, now);
  const received = await sender.post(url, headers, body);
  const code = errorInAnswer(destination.kind, received.text);
  if (code !== undefined) throw new ChannelError(code, received);
  return received;
}

const channelMessage = z.object({
  user_id: z.int(),
  title: z.string(),
  text: z.string(),
  page: z.string(),
  /** When it is too late to send it. */
  until: z.string().exactOptional(),
  scope: messageScope.exactOptional(),
});
export type QueuedMessage = z.infer<typeof channelMessage>;

const minute = 60_000;
/** Per process: a slow receiver does not delay the messages of the others. */
const concurrency = 4;

export type DestinationSecrets = { read: (encrypted: string) => Destination | undefined } & Pick<Encryption, 'encrypt'>;

export function createDestinationSecrets(secrets: readonly string[]): DestinationSecrets {
  const { encrypt, decrypt } = createEncryption(secrets, 'channel');
  return {
    encrypt,
    /** Undefined if the secret of the service was replaced. */
    read: (encrypted) => {
      const text = decrypt(encrypted);
      return text === undefined ? undefined : (JSON.parse(text) as Destination);
    },
  };
}

type KindOptions = { store: Db; sender: ChannelSender; destinations: DestinationSecrets; clock: Clock };

function createMessageKind({ store, sender, destinations, clock }: KindOptions): JobKind<QueuedMessage> {
  return {
    kind: 'channel_message',
    name: 'send messages to channels',
    everySeconds: 2,
    payload: channelMessage,
    encrypted: true,
    lease: minute, // an attempt takes at most 10 seconds
    maximumAge: 24 * 60 * minute,
    perRun: 1,
    retryAfter: exponentialBackoff,

    async run({ user_id, until, scope, ...message }, job) {
      if (until !== undefined && clock() >= new Date(until)) return { done: true };
      const channel = await channels.findRecipient(store, user_id);
      // Nothing that was queued for an earlier address is sent to a new one.
      if (channel === undefined || channel.since > job.created_at) return { done: true };
      if (scope !== undefined && !(await maySeeScope(store, scope)).allowed) return { done: true };
      const destination = destinations.read(channel.destination);
      if (destination === undefined) return { done: true };
      await sendTo(sender, destination, message, { id: `msg_channel_${job.id}`, now: clock() });
      return { done: true, settle: (tx) => channels.recordSent(tx, user_id, clock()) };
    },

    failed: (tx, { user_id }, _job, { code }) => channels.recordFailure(tx, user_id, code),
  };
}

export type ChannelOutbox = {
  /** Queues a message for the channel of a person, which is sent after the commit. Those of one person keep their order. */
  enqueue(tx: Tx, message: QueuedMessage): Promise<void>;
  /** Tells the administrators who want to know that there is a new contact request. */
  announceRequest(tx: Tx): Promise<void>;
};

type Options = BackgroundWorkOptions & KindOptions & { encryption: Encryption; locale: Locale; ownUrl: string };

export function createChannelOutbox(options: Options) {
  const { locale, ownUrl } = options;
  const queue = createJobQueue(createMessageKind(options), options.encryption, options);
  const workers = createQueueWorkers(queue);
  const enqueue = (tx: Tx, message: QueuedMessage) => queue.enqueue(tx, message, { orderingKey: `${message.user_id}` });

  const outbox: ChannelOutbox = {
    enqueue,
    async announceRequest(tx) {
      for (const { user_id, locale: own } of await channels.listForRequests(tx)) {
        const say = (key: 'channel_request_title' | 'channel_request_text') => translate({ key }, own ?? locale);
        await enqueue(tx, {
          user_id,
          title: say('channel_request_title'),
          text: say('channel_request_text'),
          page: `${ownUrl}/admin/inbox`,
          scope: { admin_id: user_id, group_ids: null },
        });
      }
    },
  };
  const job: Job = {
    ...queue.job,
    run: async () => workers.start([{ queue: '', concurrency }]),
    stop: workers.stop,
  };
  return { outbox, job };
}
