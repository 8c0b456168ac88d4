import type { createDocument } from 'zod-openapi';

type Document = ReturnType<typeof createDocument>;
type Components = NonNullable<Document['components']>;
type Described = Record<string, unknown> & {
  operationId: string;
  parameters?: object[];
  requestBody?: object;
  responses: Record<string, object>;
};

const pascal = (text: string) =>
  text.toLowerCase().replace(/(?:^|[^a-z\d]+)([a-z\d])/g, (_, letter: string) => letter.toUpperCase());

/** Responses, bodies and parameters that several operations have become components, which the operations refer to. */
export function shareComponents(document: Document): Document {
  const operations = [...operationsOf(document)];
  const responses = operations.flatMap((operation) =>
    Object.entries(operation.responses).map(([status, value]) => ({ value, names: responseNames(operation, status) })),
  );
  const bodies = operations.flatMap(({ operationId, requestBody }) =>
    requestBody === undefined ? [] : [{ value: requestBody, names: [upperFirst(operationId)] }],
  );
  const parameters = operations.flatMap((operation) =>
    (operation.parameters ?? []).map((value) => ({ value, names: parameterNames(value) })),
  );
  const shared = {
    responses: collect(responses),
    requestBodies: collect(bodies),
    parameters: collect(parameters),
  };
  for (const operation of operations) {
    const { requestBody } = operation;
    for (const [status, value] of Object.entries(operation.responses))
      operation.responses[status] = shared.responses.refer(value, 'responses');
    if (requestBody !== undefined) operation.requestBody = shared.requestBodies.refer(requestBody, 'requestBodies');
    if (operation.parameters !== undefined)
      operation.parameters = operation.parameters.map((value) => shared.parameters.refer(value, 'parameters'));
  }
  document.components = {
    ...document.components,
    parameters: shared.parameters.components,
    requestBodies: shared.requestBodies.components,
    responses: shared.responses.components,
  } as Components; // they come from the document
  return document;
}

function* operationsOf(document: Document): Generator<Described> {
  for (const item of [...Object.values(document.paths ?? {}), ...Object.values(document.webhooks ?? {})])
    for (const operation of Object.values(item)) yield operation as Described; // paths have operations only
}

/** By its name, or else also by its place. */
function parameterNames(parameter: object): string[] {
  const name = pascal(String(Reflect.get(parameter, 'name')));
  return [name, pascal(String(Reflect.get(parameter, 'in'))) + name];
}

const statusNames: Readonly<Record<string, string>> = {
  '304': 'NotModified',
  '400': 'BadRequest',
  '401': 'Unauthorized',
  '403': 'Forbidden',
  '404': 'NotFound',
  '409': 'Conflict',
  '412': 'PreconditionFailed',
  '413': 'PayloadTooLarge',
  '429': 'TooManyRequests',
  '500': 'InternalError',
  '503': 'Unavailable',
};

/** By the status, or else by its codes; a success by the first operation that has it. */
function responseNames({ operationId, responses }: Described, status: string): string[] {
  if (status === '204') return ['Received'];
  if (status.startsWith('2'))
    return JSON.stringify(responses[status]).includes('"data"')
      ? [upperFirst(operationId)]
      : ['Done', upperFirst(operationId)];
  const text = JSON.stringify(responses[status]);
  const codes = [...text.matchAll(/#\/components\/examples\/(\w+)\.(\w+)/g)].map(([, side, code]) => [side, code]);
  const side = codes[0]?.[0] === 'contact' ? 'Contact' : '';
  return [side + (statusNames[status] ?? status), side + codes.map(([, code = '']) => pascal(code)).join('Or')];
}

/** The values that occur more than once, by the first name that no value has that occurs more often. */
function collect(found: readonly { value: object; names: readonly string[] }[]) {
  const counts = new Map<string, { value: object; names: readonly string[]; count: number }>();
  for (const { value, names } of found) {
    const key = JSON.stringify(value);
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { value, names, count: 1 });
    else known.count += 1;
  }
  const nameOf = new Map<string, string>();
  const components: Record<string, object> = {};
  for (const [key, { value, names, count }] of [...counts].sort(([, a], [, b]) => b.count - a.count)) {
    const name = names.find((candidate) => candidate !== '' && !(candidate in components));
    if (count === 1 || name === undefined) continue;
    nameOf.set(key, name);
    components[name] = value;
  }
  return {
    components: Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1))),
    refer(value: object, kind: keyof Components): object {
      const name = nameOf.get(JSON.stringify(value));
      return name === undefined ? value : { $ref: `#/components/${kind}/${name}` };
    },
  };
}

const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
