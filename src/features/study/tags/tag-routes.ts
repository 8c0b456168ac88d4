import { z } from 'zod';
import { type Operation, operation } from '../../../http/operation.ts';
import { timestamp } from '../../../http/time-fields.ts';
import { newTagName, tagName } from './tag-fields.ts';
import type { TagRow } from './tag-repository.ts';
import type { TagService } from './tag-service.ts';

const tag = z
  .object({
    name: tagName,
    sessions_count: z.int().meta({ description: 'Your records with it.', example: 14 }),
    last_used_at: timestamp.nullable().meta({ description: 'When the latest of these records began.' }),
  })
  .meta({ id: 'Tag' });

const params = z.object({
  name: tagName.meta({ description: 'Its name; case, accents and width do not matter.' }),
});

const toTagResponse = ({ name, sessions_count, last_used_at }: TagRow): z.input<typeof tag> => ({
  name,
  sessions_count,
  last_used_at,
});

export function createTagRoutes({ tags }: { tags: TagService }): Operation[] {
  const base = { tag: 'Records', access: 'user' } as const;
  const onOne = { ...base, params, errors: ['RESOURCE_NOT_FOUND'] } as const;

  return [
    operation({
      ...base,
      method: 'get',
      path: '/api/me/tags',
      id: 'listTags',
      summary: 'List your tags',
      description:
        'At most 200, the most recently used first. A tag is added when a record uses it for the first time.',
      cost: 'statistics',
      data: z.array(tag),
      handler: async ({ actor }) => ({ data: (await tags.list(actor.id)).map(toTagResponse) }),
    }),

    operation({
      ...onOne,
      method: 'get',
      path: '/api/me/tags/:name',
      id: 'getTag',
      summary: 'Get one of your tags',
      description: 'With the number of your records that have it.',
      cost: 'statistics',
      data: tag,
      handler: async ({ actor, params }) => ({ data: toTagResponse(await tags.get(actor.id, params.name)) }),
    }),

    operation({
      ...onOne,
      method: 'put',
      path: '/api/me/tags/:name',
      id: 'renameTag',
      scope: 'sessions:write',
      summary: 'Rename one of your tags',
      description:
        'In all your records. The name of another tag merges both, which keeps the spelling of the other one.',
      body: z.object({ name: newTagName }),
      cost: 'statistics',
      data: tag,
      message: 'tag_renamed',
      handler: async ({ actor, params, body }) => ({
        data: toTagResponse(await tags.rename(actor, params.name, body.name)),
      }),
    }),

    operation({
      ...onOne,
      method: 'delete',
      path: '/api/me/tags/:name',
      id: 'deleteTag',
      scope: 'sessions:write',
      summary: 'Delete one of your tags',
      description: 'It is removed from all your records; the records remain.',
      cost: 'statistics',
      message: 'tag_deleted',
      handler: async ({ actor, params }) => {
        await tags.delete(actor, params.name);
        return {};
      },
    }),
  ];
}
