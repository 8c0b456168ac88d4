import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { translate } from '../messages/index.ts';
import { errorExamples, errorResponses } from './openapi-errors.ts';
import { sample } from './openapi-examples.ts';
import { headers, introduction, tags } from './openapi-text.ts';
import type { Operation } from './operation.ts';

const header = (name: keyof typeof headers) => ({ [name]: { $ref: `#/components/headers/${name}` } });

function success(operation: Operation, status: number) {
  const schema = z.object({
    success: z.literal(true),
    message: z.string().meta({ example: translate({ key: operation.message ?? 'ok' }, 'en') }),
    ...operation.extraFields,
    ...(operation.data !== undefined && { data: operation.data }),
  });
  const other = Object.fromEntries(
    (operation.produces ?? []).map((type) => [type, { schema: { type: 'string' as const } }]),
  );
  const onlyOther = operation.produces !== undefined && operation.data === undefined;
  return {
    description: operation.summary,
    headers: {
      ...header('X-Request-Id'),
      ...((operation.method === 'get' || operation.conditional === true) && header('ETag')),
      ...(status === 201 && header('Location')),
      ...(operation.idempotent === true && header('Idempotent-Replayed')),
    },
    content: onlyOther ? other : { 'application/json': { schema }, ...other },
  };
}

function responses(operation: Operation): ZodOpenApiResponsesObject {
  const status = operation.status ?? 200;
  return {
    [String(status)]: success(operation, status),
    ...(operation.mayReturnExisting === true && {
      '200': { ...success(operation, 200), description: 'It was there already, and is answered as it is.' },
    }),
    ...(operation.method === 'get' && {
      '304': { description: 'Not modified: `If-None-Match` names the present state.' },
    }),
    ...errorResponses(operation),
  };
}

function requestHeaders(operation: Operation): z.ZodObject | undefined {
  const shape = {
    ...(operation.idempotent === true && {
      'Idempotency-Key': z.string().min(1).max(128).optional().meta({
        description:
          'Repeating the request with the same key within 24 hours answers the same and creates nothing more.',
      }),
    }),
    ...(operation.conditional === true && {
      'If-Match': z.string().optional().meta({ description: 'The ETag last read; 412 when it no longer holds.' }),
    }),
  };
  return Object.keys(shape).length > 0 ? z.object(shape) : undefined;
}

function requestBody(operation: Operation) {
  if (operation.upload !== undefined) {
    const file = z.string().meta({ override: { type: 'string', format: 'binary' }, description: 'The file.' });
    const fields = operation.body instanceof z.ZodObject ? operation.body.shape : {};
    return {
      required: true,
      content: { 'multipart/form-data': { schema: z.object({ [operation.upload.field]: file, ...fields }) } },
    };
  }
  if (operation.body === undefined) return undefined;
  return { required: true, content: { 'application/json': { schema: operation.body } } };
}

function describe(operation: Operation): ZodOpenApiOperationObject {
  const header = requestHeaders(operation);
  const body = requestBody(operation);
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.description !== undefined && { description: operation.description }),
    security: operation.access === 'public' ? [] : [{ bearer: [] }],
    requestParams: {
      ...(operation.params instanceof z.ZodObject && { path: operation.params }),
      ...(operation.query !== undefined && { query: operation.query }),
      ...(header !== undefined && { header }),
    },
    ...(body !== undefined && { requestBody: body }),
    responses: responses(operation),
  };
}

/** The OpenAPI 3.1 document, made from the operations that are mounted. */
export function createOpenApiDocument(operations: readonly Operation[], serverUrl: string) {
  const paths: ZodOpenApiPathsObject = {};
  for (const operation of operations) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [operation.method]: describe(operation) };
  }
  const used = new Set(operations.map((operation) => operation.tag));
  return withExamples(
    createDocument({
      openapi: '3.1.0',
      info: {
        title: 'Studytrack',
        version: '0.1.0',
        description: introduction,
        license: { name: 'All rights reserved', identifier: 'LicenseRef-Proprietary' },
      },
      servers: [{ url: serverUrl, description: 'This service.' }],
      tags: tags.filter((tag) => used.has(tag.name)),
      paths,
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: 'The `token` of `POST /api/auth/login`, for 15 minutes.',
          },
        },
        headers: { ...headers },
        examples: errorExamples(operations),
      },
    }),
  );
}

type Document = ReturnType<typeof createDocument>;

/** Shows every JSON body and answer by an example made of those in its schema. */
function withExamples(document: Document): Document {
  const schemas = document.components?.schemas ?? {};
  for (const item of Object.values(document.paths ?? {})) {
    for (const operation of [item.get, item.post, item.put, item.delete]) {
      const bodies = [operation?.requestBody, ...Object.values(operation?.responses ?? {})];
      for (const body of bodies) {
        const json = body !== undefined && 'content' in body ? body.content?.['application/json'] : undefined;
        if (json === undefined || json.examples !== undefined) continue;
        const example = sample(json.schema, schemas);
        if (example !== undefined) json.example = example;
      }
    }
  }
  return document;
}
