// What of an interface document would break a client that was written for an earlier one.

type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  description?: string;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
};
type Part = { $ref?: string; content?: Record<string, { schema?: Schema }>; required?: boolean };
type Parameter = Part & { name: string; in: string; schema?: Schema };
type Operation = { parameters?: Parameter[]; requestBody?: Part; responses?: Record<string, Part> };
export type ApiDocument = { paths: Record<string, Record<string, Operation>> };

/** What is known of a place in a request or a response, such as `body.tags[]`, over all alternatives of its schema. */
type Fact = {
  types: Set<string>;
  values: Set<unknown>;
  anyValue: boolean;
  mayGrow: boolean;
  required: boolean;
  limit: number;
};
type Facts = Map<string, Fact>;

const limits = ['maximum', 'maxLength', 'maxItems'] as const;

function read(document: ApiDocument, operation: Operation): { request: Facts; response: Facts } {
  const follow = <T extends { $ref?: string }>(part: T): T => {
    if (part.$ref === undefined) return part;
    const names = part.$ref.slice(2).split('/');
    return follow(names.reduce((value, name) => (value as Record<string, unknown>)[name], document as unknown) as T);
  };

  function add(facts: Facts, at: string, given: Schema, required: boolean): void {
    if (at.split('.').length > 12) return; // a schema that contains itself
    const schema = follow(given);
    const unknown = { types: new Set<string>(), values: new Set(), anyValue: false, mayGrow: false, limit: Infinity };
    const fact = facts.get(at) ?? { ...unknown, required };
    facts.set(at, fact);
    const types = [schema.type ?? []].flat();
    const values = schema.enum ?? ('const' in schema ? [schema.const] : undefined);
    for (const type of types) fact.types.add(type);
    for (const value of values ?? []) fact.values.add(value);
    fact.anyValue ||= values === undefined && types.some((type) => type !== 'null');
    fact.mayGrow ||= /may add values/.test(`${schema.description} ${given.description}`);
    for (const name of limits) fact.limit = Math.min(fact.limit, schema[name] ?? Infinity);
    for (const part of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])])
      add(facts, at, part, required);
    for (const [name, part] of Object.entries(schema.properties ?? {}))
      add(facts, `${at}.${name}`, part, schema.required?.includes(name) === true);
    if (schema.items !== undefined) add(facts, `${at}[]`, schema.items, false);
  }

  const facts = { request: new Map(), response: new Map() };
  for (const parameter of (operation.parameters ?? []).map(follow))
    add(facts.request, `${parameter.in} ${parameter.name}`, parameter.schema ?? {}, parameter.required === true);
  const body = operation.requestBody && follow(operation.requestBody);
  for (const { schema } of Object.values(body?.content ?? {}))
    if (schema) add(facts.request, 'body', schema, body?.required === true);
  for (const [status, part] of Object.entries(operation.responses ?? {}))
    for (const [type, { schema }] of Object.entries(follow(part).content ?? {}))
      if (status.startsWith('2')) add(facts.response, `${status} ${type}`, schema ?? {}, true);
  return facts;
}

/** Of `wanted`, what `given` does not have. An integer is a number. */
const missing = (wanted: Set<unknown>, given: Set<unknown>) =>
  [...wanted].filter((each) => !given.has(each) && !(each === 'integer' && given.has('number')));

function* requestBreaks(before: Facts, after: Facts): Generator<string> {
  for (const [at, was] of before) {
    const now = after.get(at);
    if (now === undefined) yield `${at} is no longer read`;
    else {
      for (const type of missing(was.types, now.types)) yield `${at} may no longer be ${type}`;
      for (const value of now.anyValue ? [] : missing(was.values, now.values)) yield `${at} may no longer be ${value}`;
      if (was.anyValue && !now.anyValue) yield `${at} must be one of ${[...now.values].join(', ')}`;
      if (now.limit < was.limit && was.limit < Number.MAX_SAFE_INTEGER)
        yield `${at} is limited to ${now.limit}, not ${was.limit}`;
    }
  }
  for (const [at, now] of after) {
    const parent = at.slice(0, at.lastIndexOf('.'));
    const isAsked = at.includes('.') ? before.has(parent) : true;
    if (now.required && isAsked && !before.get(at)?.required) yield `${at} is required`;
  }
}

function* responseBreaks(before: Facts, after: Facts): Generator<string> {
  for (const [at, was] of before) {
    const now = after.get(at);
    if (now === undefined) yield `${at} is gone`;
    else {
      if (was.required && !now.required) yield `${at} may be missing`;
      for (const type of was.types.size > 0 ? missing(now.types, was.types) : []) yield `${at} may be ${type}`;
      if (was.values.size > 0 && !was.anyValue && now.anyValue) yield `${at} may be any value`;
      for (const value of was.anyValue || was.mayGrow ? [] : missing(now.values, was.values))
        yield `${at} may be ${value}`;
    }
  }
}

/** Sentences such as "get /api/projects: 200 application/json.data.projects[].name is gone". */
export function findBreaks(before: ApiDocument, after: ApiDocument): string[] {
  return Object.entries(before.paths).flatMap(([where, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const name = `${method} ${where}`;
      const present = after.paths[where]?.[method];
      if (present === undefined) return [`${name} is gone`];
      const was = read(before, operation);
      const now = read(after, present);
      const breaks = [...requestBreaks(was.request, now.request), ...responseBreaks(was.response, now.response)];
      return breaks.map((text) => `${name}: ${text}`);
    }),
  );
}
