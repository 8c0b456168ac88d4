import { createEncryption } from '../../../lib/secrets/encryption.ts';
import { createSender } from '../outgoing-requests/sender.ts';
import type { Platform } from '../platform.ts';
import { createChannelOutbox, createDestinationSecrets } from './channel-outbox.ts';
import { createChannelRoutes } from './channel-routes.ts';
import { createChannelService } from './channel-service.ts';

/** Messages to people beside mail, with the sender of webhooks and its guard. */
export function createChannels(platform: Platform) {
  const base = {
    ...platform,
    sender: createSender({ anyTarget: platform.config.webhookTargets === 'any' }),
    destinations: createDestinationSecrets(platform.secrets),
  };
  const { outbox, job } = createChannelOutbox({
    ...base,
    encryption: createEncryption(platform.secrets, 'channel messages'),
  });
  return {
    outbox,
    jobs: [job],
    operations: createChannelRoutes({ channels: createChannelService(base), rateLimits: platform.rateLimits }),
  };
}
