import { z } from 'zod';
import { type Locale, translate } from '../texts/index.ts';
import type { Operation } from './operation.ts';
import type { Reply } from './reply.ts';

export function render(operation: Pick<Operation, 'message'>, reply: Reply, locale: Locale): Buffer {
  if (reply.bytes !== undefined) return reply.bytes;
  const message = translate(reply.message ?? { key: operation.message ?? 'ok' }, locale);
  const head = `{"success":true,"message":${JSON.stringify(message)}`;
  const extraFields = Object.entries(reply.extraFields ?? {})
    .map(([key, value]) => `,${JSON.stringify(key)}:${JSON.stringify(value)}`)
    .join('');
  const data = reply.data === undefined ? '' : `,"data":${JSON.stringify(reply.data)}`;
  return Buffer.from(`${head}${extraFields}${data}}`);
}

/** Secrets that the schema requires are empty, others are left out. */
export function withoutSecrets({ secrets, data: schema }: Pick<Operation, 'secrets' | 'data'>, reply: Reply): Reply {
  if (secrets === undefined || typeof reply.data !== 'object' || reply.data === null) return reply;
  const data: Record<string, unknown> = { ...reply.data };
  for (const name of secrets) {
    const isRequired = schema instanceof z.ZodObject && schema.shape[name]?.safeParse(undefined).success === false;
    if (isRequired && typeof data[name] === 'string') data[name] = '';
    else delete data[name];
  }
  return { ...reply, data };
}
