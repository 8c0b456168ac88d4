import type { webhooks } from './api.ts';

type BodyOf<Webhook> = Webhook extends { post: { requestBody: { content: { 'application/json': infer Body } } } }
  ? Body
  : never;

/** An event that a webhook receives; `type` tells which `data` it has. */
export type WebhookEvent = { [Type in keyof webhooks]: BodyOf<webhooks[Type]> }[keyof webhooks];

/** As of a `Request`, or of `node:http`. */
type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Older requests may be repetitions by somebody who recorded them. */
const maxAgeSeconds = 300;

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

/**
 * The event of a request to a webhook. Throws if none of the `secrets` (`whsec_…`) has signed the request, or if it is older or newer than
 * five minutes. `body` is the text as it was received.
 */
export async function verifyWebhook(
  body: string,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
): Promise<WebhookEvent> {
  const header = (name: string) => String((headers instanceof Headers ? headers.get(name) : headers[name]) ?? '');
  const sentAt = header('webhook-timestamp');
  if (!(Math.abs(Date.now() / 1000 - Number(sentAt || Number.NaN)) <= maxAgeSeconds))
    throw new Error('webhook-timestamp is missing, or differs from now by more than five minutes');
  const signed = new TextEncoder().encode(`${header('webhook-id')}.${sentAt}.${body}`);
  const signatures = header('webhook-signature')
    .split(' ')
    .filter((signature) => /^v1,[\w+/]+=*$/.test(signature));
  for (const secret of [secrets].flat()) {
    const bytes = bytesOf(secret.replace(/^whsec_/, ''));
    const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
    for (const signature of signatures)
      if (await crypto.subtle.verify('HMAC', key, bytesOf(signature.slice(3)), signed)) return JSON.parse(body);
  }
  throw new Error('webhook-signature is not one of this secret');
}
