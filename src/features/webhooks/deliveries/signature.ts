import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

/** A new secret in the format of the Standard Webhooks specification. */
export const createWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** The headers of an attempt, signed with each secret: during a rotation, receivers may verify with the former one. */
export function signedHeaders(id: string, at: Date, body: string, secrets: readonly string[]): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': `${Math.floor(at.getTime() / 1000)}`,
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  };
}
