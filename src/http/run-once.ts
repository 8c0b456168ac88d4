import { AppError } from '../errors.ts';
import { readClaim, runOnce } from '../features/idempotency/idempotency.ts';
import type { Seal } from '../lib/secrets/seal.ts';
import type { Store } from '../store.ts';
import type { Operation } from './operation.ts';
import type { Reply } from './reply.ts';
import type { RequestInfo } from './request.ts';
import { render } from './response/respond.ts';
import { withoutSecrets } from './response/secrets.ts';

type Once = {
  operation: Operation;
  info: RequestInfo;
  userId: number | undefined;
  params: unknown;
  body: unknown;
  store: Store;
  seal: Seal;
};
type Work<Data> = (store: Store) => Promise<Reply<Data> | AppError>;

export async function once<Data>(
  { operation, info, userId, params, body, store, seal }: Once,
  work: Work<Data>,
): Promise<Reply<Data>> {
  if (operation.idempotent !== true) return success(await work(store));
  const caller = userId === undefined ? `address ${info.address}` : `user ${userId}`;
  const claim = readClaim(info.header('idempotency-key'), caller, pathOf(operation, params), body);
  if (claim === undefined) return success(await work(store));
  const outcome = await runOnce(store, seal, claim, work, (reply) => ({
    status: reply.status ?? operation.status ?? 200,
    location: reply.location ?? null,
    body: render(operation, withoutSecrets(operation, reply), info).toString(),
  }));
  return success(outcome);
}

function success<Data>(outcome: Reply<Data> | AppError): Reply<Data> {
  if (outcome instanceof AppError) throw outcome;
  return outcome;
}

/** The path with parsed parameters, whose length is bounded. */
function pathOf(operation: Operation, params: unknown): string {
  const values = new Map(Object.entries(params ?? {}));
  return operation.path.replace(/:(\w+)/g, (_, name: string) => String(values.get(name)));
}
