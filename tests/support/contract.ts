import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { createOpenApiDocument } from '../../src/http/openapi/document.ts';
import type { Operation } from '../../src/http/operation.ts';

/** The schemas without additional properties: clients accept undocumented fields, tests do not. */
function closed<Part>(part: Part): Part {
  if (Array.isArray(part)) return part.map(closed) as Part;
  if (typeof part !== 'object' || part === null) return part;
  const copy = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, closed(value)]));
  const isOpen = copy['type'] === 'object' && 'properties' in copy && !('additionalProperties' in copy);
  return (isOpen ? { ...copy, additionalProperties: false } : copy) as Part;
}

type Received = { status: number; body: unknown; type: string; headers: Readonly<Record<string, unknown>> };

/** The response has them in some cases only. */
const sometimes = ['Deprecation', 'ETag', 'Idempotent-Replayed', 'RateLimit', 'RateLimit-Policy'];

/**
 * Validates responses against the OpenAPI document: it must describe the operation and the status, and the body must match
 * its schema. Every response that a test client receives is checked.
 */
function createContract(operations: readonly Operation[]) {
  const document = createOpenApiDocument(operations);
  const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'openapi', ...closed(document) });
  const validators = new Map<string, ValidateFunction>();
  const paths = Object.keys(document.paths ?? {}).map((template) => ({
    template,
    pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}/?$`, 'i'),
    variables: template.split('{').length,
  }));
  paths.sort((a, b) => a.variables - b.variables);

  function validator(pointer: string): ValidateFunction {
    const known = validators.get(pointer);
    if (known !== undefined) return known;
    const compiled = ajv.compile({ $ref: `openapi#${pointer}` });
    validators.set(pointer, compiled);
    return compiled;
  }

  return {
    /** Throws if the document does not describe the response. Undocumented paths and methods must return 400, 404 or 405. */
    check(method: string, url: string, received: Received): void {
      const path = url.split('?', 1)[0] ?? url;
      const where = `${method} ${path} → ${received.status}`;
      const template = paths.find((candidate) => candidate.pattern.test(path))?.template;
      const verb = method.toLowerCase() === 'head' ? 'get' : method.toLowerCase();
      const described = document.paths?.[template ?? '']?.[verb as 'get']; // a missing key yields undefined
      if (described === undefined) {
        if (![400, 404, 405].includes(received.status)) throw new Error(`${where}: not in the OpenAPI document`);
        return;
      }
      const documented = described.responses?.[String(received.status) as '200'];
      if (documented === undefined) throw new Error(`${where}: status not documented`);
      const shared = '$ref' in documented ? documented.$ref.split('/').slice(1) : undefined;
      const response = shared === undefined ? documented : document.components?.responses?.[shared.at(-1) ?? ''];
      if (response === undefined || '$ref' in response) throw new Error(`${where}: the reference leads nowhere`);
      const promised = ['X-Request-Id', ...Object.keys(response.headers ?? {})].filter(
        (name) => !sometimes.includes(name),
      );
      const missing = promised.filter((name) => !(name.toLowerCase() in received.headers));
      if (missing.length > 0) throw new Error(`${where}: without ${missing.join(', ')}`);
      if (received.status === 304 || method === 'HEAD') return;
      const type = received.type.split(';', 1)[0] ?? '';
      if (!(type in (response.content ?? {}))) throw new Error(`${where}: content type ${type} not documented`);
      if (type !== 'application/json') return;
      const place = shared ?? ['paths', template ?? '', verb, 'responses', String(received.status)];
      const pointer = [...place, 'content', 'application/json', 'schema'];
      const validate = validator(
        `/${pointer.map((part) => encodeURIComponent(part.replace(/~/g, '~0').replace(/\//g, '~1'))).join('/')}`,
      );
      if (!validate(received.body)) {
        throw new Error(
          `${where}: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(received.body).slice(0, 2000)}`,
        );
      }
    },
  };
}

const known = new Map<string, ReturnType<typeof createContract>>();

/** One for all apps with the same operations, since no setting changes what is documented: compiling the schemas takes longer than most tests. */
export function contractOf(operations: readonly Operation[]) {
  const ids = operations.map(({ id }) => id).join();
  const contract = known.get(ids) ?? createContract(operations);
  known.set(ids, contract);
  return contract;
}
