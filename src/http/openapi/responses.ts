import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import type { ZodOpenApiResponsesObject } from 'zod-openapi';
import { translate } from '../../texts/index.ts';
import type { Operation } from '../operation.ts';
import { errorResponses } from './errors.ts';
import { headerOf } from './text.ts';

function success(operation: Operation, status: number) {
  const hasData =
    operation.data !== undefined || operation.extraFields !== undefined || operation.produces !== undefined;
  const schema = z.object({
    success: z.literal(true),
    message: z.string().meta({ example: translate({ key: hasData ? (operation.message ?? 'ok') : 'ok' }, 'en') }),
    ...operation.extraFields,
    ...(operation.data !== undefined && { data: operation.data }),
  });
  const other = Object.fromEntries(
    (operation.produces ?? []).map((type) => [type, { schema: { type: 'string' as const } }]),
  );
  const onlyOther = operation.produces !== undefined && operation.data === undefined;
  return {
    description: `${STATUS_CODES[status]}.`,
    headers: {
      ...((operation.method === 'get' || operation.conditional === true) && headerOf('ETag')),
      ...((status === 201 || status === 202) && headerOf('Location')),
      ...(operation.idempotent === true && headerOf('Idempotent-Replayed')),
      ...(operation.deprecated !== undefined && headerOf('Deprecation')),
    },
    content: onlyOther ? other : { 'application/json': { schema }, ...other },
  };
}

/** All responses of an operation by status, errors included. */
export function responses(operation: Operation): ZodOpenApiResponsesObject {
  const status = operation.status ?? 200;
  return {
    [String(status)]: success(operation, status),
    ...(operation.mayReturnExisting === true && {
      '200': { ...success(operation, 200), description: 'It already existed and is returned unchanged.' },
    }),
    ...(status === 201 &&
      operation.query?.shape['dry_run'] !== undefined && {
        '200': { ...success(operation, 200), description: 'With `dry_run`: what would change.' },
      }),
    ...(operation.method === 'get' && {
      '304': {
        description: 'Not modified: `If-None-Match` names the current state.',
      },
    }),
    ...errorResponses(operation),
  };
}
