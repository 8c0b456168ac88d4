import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { version } from '../../project-root.ts';
import { type Operation, type Route, routesOfAll } from '../operation.ts';
import { completeSchemas } from '../schema-limits.ts';
import { scopeOf } from '../steps/access.ts';
import { errorExamples } from './errors.ts';
import { withExamples } from './examples.ts';
import { responses } from './responses.ts';
import { shareComponents } from './share.ts';
import { headers, introduction, tags } from './text.ts';

/** The schema of `data` of each type of event. */
type WebhookData = Readonly<Record<string, z.ZodType>>;

const webhookHeaders = z.object({
  'webhook-id': z.string().max(64).meta({
    description: 'The same in every attempt to deliver the event.',
    example: 'msg_0b6ba3b6-2ed7-4f6c-9bd8-5cf01b6f2f11',
  }),
  'webhook-timestamp': z.string().max(16).meta({ description: 'Seconds since 1970.', example: '1769932800' }),
  'webhook-signature': z.string().max(256).meta({
    description: 'Signatures according to Standard Webhooks, separated by spaces.',
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  }),
});

/** What is sent to the address of a webhook. */
function describeEvent(type: string, data: z.ZodType): ZodOpenApiOperationObject {
  const body = z.object({ type: z.literal(type), timestamp: z.iso.datetime({ precision: 3 }), data });
  return {
    operationId: `on_${type.replace('.', '_')}`,
    tags: ['Webhooks'],
    summary: `The event \`${type}\``,
    description: 'Sent to the webhooks that select it.',
    security: [],
    requestParams: { header: webhookHeaders },
    requestBody: { required: true, content: { 'application/json': { schema: body } } },
    responses: {
      '204': { description: 'Received. Every status except 2xx is a failure, and the delivery is retried.' },
    },
  };
}

function requestHeaders(operation: Operation): z.ZodObject | undefined {
  const shape = {
    ...(operation.idempotent === true && {
      'Idempotency-Key': z.string().min(1).max(128).optional().meta({
        description:
          'Repeating the request with the same key within 24 hours returns the same response and creates nothing more.',
      }),
    }),
    ...(operation.conditional === true && {
      'If-Match': z
        .string()
        .max(64)
        .optional()
        .meta({ description: 'The ETag last read; 412 when it is no longer current.' }),
    }),
    ...(operation.sameOrigin === true && {
      'Sec-Fetch-Site': z.enum(['same-origin']).optional().meta({
        example: 'same-origin',
        description: 'Set by browsers. Where it is missing, `Origin` must name this service.',
      }),
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
  const required = !operation.body.safeParse({}).success;
  return { required, content: { 'application/json': { schema: operation.body } } };
}

function security(operation: Operation) {
  if (operation.access === 'public') return [];
  const scope = scopeOf(operation);
  return scope === 'none' ? [{ bearer: [] }] : [{ bearer: [] }, { personalToken: [scope] }];
}

function describe(operation: Operation, route: Route): ZodOpenApiOperationObject {
  const header = requestHeaders(operation);
  const body = requestBody(operation);
  return {
    operationId: route.id,
    ...(route.id !== operation.id && { 'x-alias-of': operation.id }),
    tags: [operation.tag],
    summary: operation.summary,
    ...describedBy(operation, route),
    security: security(operation),
    requestParams: {
      ...(operation.params instanceof z.ZodObject && { path: operation.params }),
      ...(operation.query !== undefined && { query: operation.query }),
      ...(header !== undefined && { header }),
    },
    ...(body !== undefined && { requestBody: body }),
    responses: responses(operation),
  };
}

const openApiPath = (path: string) => path.replace(/:(\w+)/g, '{$1}');

function describedBy(operation: Operation, route: Route): { description?: string } {
  if (route.id === operation.id)
    return operation.description === undefined ? {} : { description: operation.description };
  return { description: `Another name of \`${operation.method.toUpperCase()} ${openApiPath(operation.path)}\`.` };
}

const contactOf = (address: string | undefined) => {
  if (address === undefined) return {};
  return address.startsWith('mailto:') ? { email: address.slice('mailto:'.length) } : { url: address };
};

export type DocumentOptions = {
  serverUrl?: string | undefined;
  securityContact?: string | undefined;
  webhooks?: WebhookData;
};

export function createOpenApiDocument(
  operations: readonly Operation[],
  { serverUrl, securityContact, webhooks = {} }: DocumentOptions = {},
) {
  const paths: ZodOpenApiPathsObject = {};
  // In an order that does not depend on the composition: the document changes only where an operation does.
  const routes = routesOfAll(operations).toSorted((a, b) => a.route.path.localeCompare(b.route.path, 'en'));
  for (const { route, operation } of routes) {
    const path = openApiPath(route.path);
    paths[path] = { ...paths[path], [route.method]: describe(operation, route) };
  }
  const used = new Set(operations.map((operation) => operation.tag));
  const document = createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Studytrack',
      version,
      description: introduction,
      contact: { name: 'Studytrack maintainers', ...contactOf(securityContact) },
    },
    servers: [
      { url: serverUrl ?? '/', description: 'This service.' },
      ...(serverUrl === undefined ? [{ url: 'http://127.0.0.1:3000', description: 'A service on this machine.' }] : []),
    ],
    tags: tags.filter((tag) => used.has(tag.name)),
    paths,
    webhooks: Object.fromEntries(
      Object.entries(webhooks).map(([type, data]) => [type, { post: describeEvent(type, data) }]),
    ),
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description:
            'The `token` of `POST /api/auth/login`, a JWT that follows RFC8725. It is valid for `expires_in` seconds, 15 minutes by default.',
        },
        personalToken: {
          type: 'http',
          scheme: 'bearer',
          description:
            'A personal access token of `POST /api/me/tokens`. It needs the scope that an operation names; operations that name none are for sign-ins only.',
        },
      },
      headers: { ...headers },
      examples: errorExamples(operations),
    },
  });
  completeSchemas(document);
  return shareComponents(withExamples(document));
}
