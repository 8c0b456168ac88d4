import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

/** A new secret, as the Standard Webhooks specification writes it. */
export const createWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** The headers of one attempt. Each secret signs: a receiver may verify with the former one while a rotation lasts. */
export function signedHeaders(id: string, at: Date, body: string, secrets: readonly string[]): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': `${Math.floor(at.getTime() / 1000)}`,
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  };
}
