import type { Request } from 'express';
import { PayloadTooLargeError, ValidationError } from '../../errors.ts';
import type { Actor } from '../../features/auth/identity.ts';
import { parsePart, readQuery } from '../field-errors.ts';
import type { Operation } from '../operation.ts';
import type { Received } from '../upload.ts';
import { parseJsonBody, type ReceivedBody } from './json-body.ts';

export type RawInput = {
  operation: Operation;
  request: Request;
  body: ReceivedBody | undefined;
  queryKeys: ReadonlySet<string>;
};
export type Input = { params: unknown; query: unknown; body: unknown };
type Known = { actor: Actor | undefined; params: unknown; received: Received | undefined };

export function parseParams(operation: Operation, request: Request): unknown {
  if (operation.params === undefined) return undefined;
  const parsed = parsePart(operation.params, request.params, 'path');
  if (!parsed.ok) throw new ValidationError(parsed.errors);
  return parsed.value;
}

export async function parseInput(raw: RawInput, { actor, params, received }: Known): Promise<Input> {
  try {
    const query = parseQuery(raw);
    const body = parseBody(raw, actor, received);
    const errors = [query, body].flatMap((part) => (part.ok ? [] : part.errors));
    if (!query.ok || !body.ok) throw new ValidationError(errors);
    return { params, query: query.value, body: body.value };
  } catch (error) {
    // A missing or forbidden resource takes precedence over an invalid body.
    if (error instanceof ValidationError || error instanceof PayloadTooLargeError)
      await raw.operation.guard?.({ actor, params });
    throw error;
  }
}

function parseQuery({ operation, request, queryKeys }: RawInput) {
  const mark = request.url.indexOf('?');
  const given = readQuery(mark === -1 ? '' : request.url.slice(mark + 1), queryKeys);
  if (!given.ok || operation.query === undefined) return given;
  return parsePart(operation.query, given.value, 'query');
}

function parseBody({ operation, request, body }: RawInput, actor: Actor | undefined, received: Received | undefined) {
  const schema = (actor && operation.bodyFor?.(actor)) ?? operation.body;
  if (schema === undefined) return { ok: true as const, value: undefined };
  const input = body === undefined ? received?.fields : parseJsonBody(body, request.headers['content-type']);
  return parsePart(schema, input ?? {}, 'body');
}
