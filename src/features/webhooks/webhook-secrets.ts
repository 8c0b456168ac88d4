import { createSeal } from '../../lib/secrets/seal.ts';

type Stored = { secret: string; previous_secret: string | null; previous_expires_at: string | null };

/** Webhook secrets are encrypted in the database: the service must be able to sign with them. */
export function createWebhookSecrets(secrets: readonly string[]) {
  const { seal, open } = createSeal(secrets, 'webhook secret');
  return {
    seal,
    /** The secrets that sign now; none if the secret of the service was replaced. */
    signing({ secret, previous_secret, previous_expires_at }: Stored, now: Date): string[] {
      const isRotating = previous_expires_at !== null && Date.parse(previous_expires_at) > now.getTime();
      const sealed = isRotating && previous_secret !== null ? [secret, previous_secret] : [secret];
      return sealed.map(open).filter((text) => text !== undefined);
    },
  };
}

export type WebhookSecrets = ReturnType<typeof createWebhookSecrets>;
