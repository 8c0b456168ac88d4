import type { Operation } from '../operation.ts';
import type { Reply } from '../reply.ts';

type Declared = Pick<Operation, 'secrets'>;

export function secretHeaders({ secrets }: Declared): Record<string, string> {
  return secrets === undefined ? {} : { 'Cache-Control': 'no-store' };
}

export function withoutSecrets({ secrets }: Declared, reply: Reply): Reply {
  if (secrets === undefined || typeof reply.data !== 'object' || reply.data === null) return reply;
  return { ...reply, data: Object.fromEntries(Object.entries(reply.data).filter(([name]) => !secrets.includes(name))) };
}
