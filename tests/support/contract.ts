import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { createOpenApiDocument } from '../../src/http/openapi/document.ts';
import type { Operation } from '../../src/http/operation.ts';

/** The same schemas without room for fields that are not documented: clients accept new ones, tests do not. */
function closed<Part>(part: Part): Part {
  if (Array.isArray(part)) return part.map(closed) as Part;
  if (typeof part !== 'object' || part === null) return part;
  const copy = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, closed(value)]));
  const isOpen = copy['type'] === 'object' && 'properties' in copy && !('additionalProperties' in copy);
  return (isOpen ? { ...copy, additionalProperties: false } : copy) as Part;
}

type Answer = { status: number; body: unknown; type: string };

/**
 * Holds answers against the OpenAPI document: the operation must be in it, with that status, and the body must fit the
 * schema it gives. Every answer that a test client receives passes through here.
 */
function createContract(operations: readonly Operation[]) {
  const document = createOpenApiDocument(operations, '/');
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
    const made = ajv.compile({ $ref: `openapi#${pointer}` });
    validators.set(pointer, made);
    return made;
  }

  return {
    /** Throws when the answer is not one that the document describes. Paths and methods outside it must fail as 404 or 405. */
    check(method: string, url: string, answer: Answer): void {
      const path = url.split('?', 1)[0] ?? url;
      const where = `${method} ${path} → ${answer.status}`;
      const template = paths.find((candidate) => candidate.pattern.test(path))?.template;
      const verb = method.toLowerCase() === 'head' ? 'get' : method.toLowerCase();
      const described = document.paths?.[template ?? '']?.[verb as 'get']; // narrowed by the look-up itself
      if (described === undefined) {
        if (![400, 404, 405].includes(answer.status)) throw new Error(`${where}: not in the OpenAPI document`);
        return;
      }
      const response = described.responses?.[String(answer.status) as '200'];
      if (response === undefined) throw new Error(`${where}: status not documented`);
      if (answer.status === 304 || method === 'HEAD') return;
      const type = answer.type.split(';', 1)[0] ?? '';
      if (!(type in (response.content ?? {}))) throw new Error(`${where}: content type ${type} not documented`);
      if (type !== 'application/json') return;
      const pointer = [
        'paths',
        template ?? '',
        verb,
        'responses',
        String(answer.status),
        'content',
        'application/json',
        'schema',
      ];
      const validate = validator(
        `/${pointer.map((part) => encodeURIComponent(part.replace(/~/g, '~0').replace(/\//g, '~1'))).join('/')}`,
      );
      if (!validate(answer.body)) {
        throw new Error(`${where}: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(answer.body).slice(0, 2000)}`);
      }
    },
  };
}

let known: { ids: string; contract: ReturnType<typeof createContract> } | undefined;

/** The same for all apps, since no setting changes what is documented: compiling the schemas takes longer than most tests. */
export function contractOf(operations: readonly Operation[]) {
  const ids = operations.map(({ id }) => id).join();
  if (known?.ids !== ids) known = { ids, contract: createContract(operations) };
  return known.contract;
}
