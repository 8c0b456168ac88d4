import { z } from 'zod';
import { text } from '../../../http/fields.ts';
import { timestamp } from '../../../http/time-fields.ts';
import { channelKinds } from './channel-messages.ts';

const kind = z.enum(channelKinds).meta({
  description: '`url` is any other address; it gets JSON, signed as Standard Webhooks say if there is a secret.',
  example: 'feishu',
});

const hasAddress = (value: string): boolean => {
  if (!URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return /^https?:$/.test(protocol) && username === '' && password === '';
};
const url = text({ min: 1, max: 1000 }).refine(hasAddress, { error: 'channel_address' }).meta({
  format: 'uri',
  description: 'Where it is sent; never returned in full.',
  example: 'https://open.feishu.cn/open-apis/bot/v2/hook/4f1c2a93',
});
const secret = text({ min: 1, max: 200 }).nullable().meta({
  description: 'Feishu, DingTalk and `url`: the secret that signs; ntfy: an access token. Never returned.',
  example: 'SEC4f1c2a93',
});
const keyword = text({ min: 1, max: 50 }).nullable().meta({
  description: 'A word that the robot requires in each message; it is added where it is missing.',
  example: '学习',
});

const wants = {
  streak_hour: z.int().min(0).max(23).nullable().meta({
    description: 'The local hour from which a message warns that the streak ends today; null: no such messages.',
    example: 20,
  }),
  weekly: z.boolean().meta({
    description: 'Whether a message on the first day of each week summarizes the last one.',
    example: true,
  }),
  new_requests: z.boolean().meta({
    description: 'For administrators: whether each new contact request is announced.',
    example: false,
  }),
};

export const channel = z
  .object({
    kind,
    address: z.string().meta({
      description: 'The address without the part that gives access.',
      example: 'https://open.feishu.cn/…2a93',
    }),
    has_secret: z.boolean(),
    keyword: keyword,
    ...wants,
    since: timestamp.meta({
      description: 'When its address, or what it gets, was last set; nothing older is sent to it.',
    }),
    last_sent_at: timestamp.nullable(),
    failures: z.int().meta({ description: 'Attempts that failed since the last message that arrived.', example: 0 }),
    error_code: z.string().nullable().meta({
      description: 'Of the latest attempt: the answer of the robot, or why it could not be reached.',
      example: 'ANSWER_19021',
    }),
  })
  .meta({ id: 'Channel' });

const destination = {
  kind: kind.exactOptional(),
  url: url.exactOptional(),
  secret: secret.exactOptional(),
  keyword: keyword.exactOptional(),
};

export const saveChannelBody = z
  .object({
    ...destination,
    streak_hour: wants.streak_hour.exactOptional(),
    weekly: wants.weekly.exactOptional(),
    new_requests: wants.new_requests.exactOptional(),
  })
  .meta({ example: { kind: 'feishu', url: 'https://open.feishu.cn/open-apis/bot/v2/hook/4f1c2a93', streak_hour: 20 } });
export type ChannelPatch = z.output<typeof saveChannelBody>;

export const testChannelBody = z.object(destination).meta({ example: { kind: 'ntfy', url: 'https://ntfy.sh/mei' } });
export type DestinationPatch = z.output<typeof testChannelBody>;

export const testResult = z.object({
  arrived: z.boolean(),
  milliseconds: z.int().meta({ example: 400 }),
  status: z.int().nullable().meta({ description: 'The HTTP status of the answer, if there was one.', example: 200 }),
  answer: z.string().nullable().meta({
    description: 'The beginning of the answer.',
    example: '{"code":0,"msg":"success"}',
  }),
  error_code: z.string().nullable().meta({ description: 'Null if it arrived.', example: null }),
});
export type TestResult = z.input<typeof testResult>;
