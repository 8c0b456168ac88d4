import type { ResponseCache } from '../../list-cache/list-cache.ts';
import type { Stamp } from '../../list-cache/stamps.ts';
import { contentTag } from '../etag.ts';
import type { Operation, ReplyStream } from '../operation.ts';
import type { Reply } from '../reply.ts';
import type { RequestInfo } from '../request.ts';
import { render } from './respond.ts';

type CacheUse = {
  cache: ResponseCache;
  key: string;
  stamp: Stamp;
  userId: number;
  operation: Operation;
  query: unknown;
  info: RequestInfo;
};

export async function cachedReply(
  { cache, key, stamp, userId, operation, query, info }: CacheUse,
  read: () => Promise<Reply | ReplyStream>,
): Promise<Reply | ReplyStream> {
  const cached = cache.find(key, stamp);
  if (cached !== undefined) return { bytes: cached.bytes, etag: cached.etag };
  const reply = await read();
  if ('stream' in reply || reply.dependsOn === undefined) return reply;
  const bytes = render(operation, reply, info);
  const etag = contentTag(bytes);
  if (operation.cached?.unless(query) === false) cache.store(userId, key, { bytes, etag, ...reply.dependsOn });
  return { bytes, etag };
}
