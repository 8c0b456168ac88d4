import type { UnpagedRows } from '../db/row-stream.ts';
import { type Exporter, jsonList } from '../lib/export/exporter.ts';
import { translate } from '../texts/index.ts';
import type { Reply, ReplyStream } from './reply.ts';
import type { RequestInfo } from './request.ts';

/** Longer lists are streamed, without an ETag. */
const maxBuffered = 1000;

export function createSendUnpaged(exporter: Exporter) {
  return async <Row, Entry extends object>(
    rows: UnpagedRows<Row>,
    toEntry: (row: Row) => Entry,
    { actor, request }: { actor: { id: number }; request: RequestInfo },
  ): Promise<Reply<Entry[]> | ReplyStream> => {
    const first = await rows.list(maxBuffered + 1);
    if (first.length <= maxBuffered) return { data: first.map(toEntry) };
    const message = JSON.stringify(translate({ key: 'ok' }, request.locale));
    const work = jsonList(rows.export, toEntry, [`{"success":true,"message":${message},"data":[`, ']}']);
    const stream = await exporter.run(`user ${actor.id}`, work, request.closed());
    return { stream, contentType: 'application/json; charset=utf-8' };
  };
}

export type SendUnpaged = ReturnType<typeof createSendUnpaged>;
