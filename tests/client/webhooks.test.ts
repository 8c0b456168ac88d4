import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { verifyWebhook } from '../../client/src/index.ts';
import { signedHeaders } from '../../src/features/integrations/webhooks/webhook-service.ts';

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const secret = newSecret();
const body = JSON.stringify({ type: 'ping', timestamp: '2026-02-01T08:00:00.000Z', data: { webhook_id: 7 } });
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
const signed = (at: Date, ...secrets: string[]) => signedHeaders('msg_1', at, body, secrets);

test('a signed request is the event, also while the secret is replaced', async () => {
  expect(await verifyWebhook(body, signed(minutesAgo(4), secret), secret)).toEqual(JSON.parse(body));
  const both = new Headers(signed(minutesAgo(0), newSecret(), secret));
  expect(await verifyWebhook(body, both, [newSecret(), secret])).toMatchObject({ data: { webhook_id: 7 } });
});

test.for<[name: string, body: string, headers: Record<string, string | undefined>]>([
  ['another body', `${body} `, signed(minutesAgo(0), secret)],
  ['another secret', body, signed(minutesAgo(0), newSecret())],
  ['another id', body, { ...signed(minutesAgo(0), secret), 'webhook-id': 'msg_2' }],
  ['no signature', body, { ...signed(minutesAgo(0), secret), 'webhook-signature': undefined }],
  ['a signature that is not base64', body, { ...signed(minutesAgo(0), secret), 'webhook-signature': 'v1,%%%' }],
  ['no time', body, { ...signed(minutesAgo(0), secret), 'webhook-timestamp': undefined }],
  ['a time six minutes ago', body, signed(minutesAgo(6), secret)],
  ['a time in six minutes', body, signed(minutesAgo(-6), secret)],
])('rejects %s', async ([, received, headers]) => {
  await expect(verifyWebhook(received, headers, secret)).rejects.toThrow(/^webhook-/);
});
