import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

export const channelKinds = ['ntfy', 'feishu', 'dingtalk', 'wecom', 'url'] as const;
export type ChannelKind = (typeof channelKinds)[number];
/** Where the messages of a person go; encrypted in the database. */
export type Destination = { kind: ChannelKind; url: string; secret: string | null; keyword: string | null };

export type ChannelMessage = { title: string; text: string; page: string };
export type ChannelRequest = { url: URL; headers: Record<string, string>; body: string };

const json = { 'content-type': 'application/json', 'user-agent': 'Studytrack' };

/** WeCom accepts 2,048 bytes of text; the others accept more. */
const maxBytes = 2_000;

function shortened(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  return `${bytes
    .subarray(0, maxBytes)
    .toString('utf8')
    .replace(/\uFFFD+$/, '')}…`;
}

/** The request that sends a message, in the form that its receiver expects. */
export function requestOf(destination: Destination, message: ChannelMessage, id: string, now: Date): ChannelRequest {
  const { kind, secret, keyword } = destination;
  const url = new URL(destination.url);
  const { page } = message;
  const isMissing = keyword !== null && !`${message.title}\n${message.text}`.includes(keyword);
  const title = isMissing ? `${keyword} ${message.title}` : message.title;
  const content = shortened([title, message.text, page].join('\n'));
  const seconds = `${Math.floor(now.getTime() / 1000)}`;
  const post = (body: object): ChannelRequest => ({ url, headers: json, body: JSON.stringify(body) });

  switch (kind) {
    case 'ntfy':
      return {
        url,
        headers: {
          'content-type': 'text/plain; charset=utf-8',
          'user-agent': 'Studytrack',
          title: `=?UTF-8?B?${Buffer.from(title).toString('base64')}?=`, // headers are ASCII
          click: page,
          ...(secret !== null && { authorization: `Bearer ${secret}` }),
        },
        body: shortened(message.text),
      };
    case 'feishu': {
      const signed = secret !== null && {
        timestamp: seconds,
        sign: createHmac('sha256', `${seconds}\n${secret}`).digest('base64'),
      };
      return post({ ...signed, msg_type: 'text', content: { text: content } });
    }
    case 'dingtalk':
      if (secret !== null) {
        const timestamp = `${now.getTime()}`;
        url.searchParams.set('timestamp', timestamp);
        url.searchParams.set('sign', createHmac('sha256', secret).update(`${timestamp}\n${secret}`).digest('base64'));
      }
      return post({ msgtype: 'text', text: { content } });
    case 'wecom':
      return post({ msgtype: 'text', text: { content } });
    case 'url': {
      const body = JSON.stringify({ title, text: message.text, url: page, timestamp: now.toISOString() });
      if (secret === null) return { url, headers: json, body };
      const signature = new Webhook(Buffer.from(secret).toString('base64')).sign(id, now, body);
      const signed = { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signature };
      return { url, headers: { ...json, ...signed }, body };
    }
  }
}

/**
 * The error in the answer of a robot: these answer 200 also to a message that they reject. ntfy answers with the message that it has
 * taken; something else that answers in its place, such as a page to sign in, has not. Other receivers have their own codes.
 */
export function errorInAnswer(kind: ChannelKind, answer: string): string | undefined {
  if (kind === 'url' || (kind === 'ntfy' && /"id"\s*:/.test(answer))) return undefined;
  const codes = [...answer.matchAll(/"(?:errcode|code|StatusCode)"\s*:\s*"?(-?\d+)/g)].map(([, code]) => Number(code));
  const wrong = codes.find((code) => code !== 0);
  if (wrong !== undefined) return `ANSWER_${Math.abs(wrong)}`;
  return codes.length === 0 ? 'ANSWER_UNKNOWN' : undefined;
}

/** The address without its last part, which gives access. */
export function maskedAddress(address: string): string {
  return `${new URL(address).origin}/…${address.slice(-4)}`;
}
