import type { z } from 'zod';
import type { RateLimits } from '../../../http/limits.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import { maskedAddress } from './channel-messages.ts';
import { channel, saveChannelBody, testChannelBody, testResult } from './channel-schemas.ts';
import type { ChannelService, FoundChannel } from './channel-service.ts';

/** Each sends something to a place that the caller names. */
const testsPerMinute = 10;

const toChannelResponse = ({ to, destination: _secret, ...row }: FoundChannel): z.input<typeof channel> => ({
  ...row,
  kind: to.kind,
  address: maskedAddress(to.url),
  has_secret: to.secret !== null,
  keyword: to.keyword,
});

type Options = { channels: ChannelService; rateLimits: RateLimits };

export function createChannelRoutes({ channels, rateLimits }: Options): Operation[] {
  const base = { tag: 'Sign-in', access: 'user', scope: 'none', path: '/api/me/channel' } as const;

  return [
    operation({
      ...base,
      method: 'get',
      id: 'getChannel',
      summary: 'Get your channel',
      description: 'Where messages go beside mail; null if there is none. The address is shown in part only.',
      data: channel.nullable(),
      handler: async ({ actor }) => {
        const found = await channels.find(actor.id);
        return { data: found === undefined ? null : toChannelResponse(found) };
      },
    }),

    operation({
      ...base,
      method: 'put',
      id: 'saveChannel',
      summary: 'Set or change your channel',
      description:
        'One per person: ntfy, a robot of Feishu, DingTalk or WeCom, or any other address. All fields are optional, except `kind` and `url` for the first time and for another kind. Messages about what happened before are not sent to it.',
      body: saveChannelBody,
      data: channel,
      message: 'channel_saved',
      handler: async ({ actor, body }) => ({ data: toChannelResponse(await channels.save(actor, body)) }),
    }),

    operation({
      ...base,
      method: 'delete',
      id: 'deleteChannel',
      summary: 'Remove your channel',
      description: 'Messages that wait for it are not sent.',
      message: 'channel_deleted',
      errors: ['RESOURCE_NOT_FOUND'],
      handler: async ({ actor }) => {
        await channels.remove(actor);
        return {};
      },
    }),

    operation({
      ...base,
      method: 'post',
      path: '/api/me/channel/test',
      id: 'testChannel',
      summary: 'Send a test message',
      description:
        'At once, with the values of the body; those that are absent are the saved ones. Nothing is stored. A robot that answers 200 with an error has failed.',
      body: testChannelBody,
      data: testResult,
      limit: rateLimits('channel_test', testsPerMinute),
      handler: async ({ actor, body, request }) => ({ data: await channels.test(actor, body, request.locale) }),
    }),
  ];
}
