import { z } from 'zod';
import { createYield } from '../lib/fair-queue.ts';
import { type Locale, type Message, translate } from '../texts/index.ts';
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

type LongData = Readonly<Record<string, number | readonly object[]>>;
const entriesPerPart = 10;

/** The same bytes as `render`, for data with long lists: other requests are served between their entries. */
export async function renderInTurns(
  { data, message }: { data: LongData; message: Message },
  locale: Locale,
  yieldTurn = createYield(),
): Promise<Buffer> {
  const parts: Buffer[] = [];
  const add = (text: string) => parts.push(Buffer.from(text));
  add(`{"success":true,"message":${JSON.stringify(translate(message, locale))},"data":{`);
  for (const [position, [name, value]] of Object.entries(data).entries()) {
    add(`${position === 0 ? '' : ','}${JSON.stringify(name)}:`);
    if (typeof value === 'number') {
      add(String(value));
      continue;
    }
    add('[');
    for (let at = 0; at < value.length; ) {
      const list = JSON.stringify(value.slice(at, at + entriesPerPart)).slice(1, -1);
      add(at === 0 ? list : `,${list}`);
      at += entriesPerPart;
      await yieldTurn();
    }
    add(']');
  }
  add('}}');
  return Buffer.concat(parts);
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
