import fc, { type Arbitrary } from 'fast-check';
import type { Draft, Value } from './draft.ts';
import {
  beyond,
  headerNames,
  nastyBytes,
  nastyHeaders,
  nastyIds,
  nastyTexts,
  nastyTokens,
  nastyTypes,
  nastyValues,
  pathAlterations,
} from './nasty.ts';
import type { Json } from './values.ts';

/** Makes a request invalid. */
export type Change = (draft: Draft) => void;

function change<T>(wrong: string, from: Arbitrary<T>, apply: (draft: Draft, drawn: T) => void): Arbitrary<Change> {
  return from.map((drawn) => (draft) => {
    draft.wrong.push(wrong);
    apply(draft, drawn);
  });
}

const nasty = fc.constantFrom(...nastyValues).map((value) => structuredClone(value));
const pick = <T>(list: readonly T[]) => fc.constantFrom(...list);

/** Setters for every value in a body. */
function places(value: unknown, put: (value: Json) => void): ((value: Json) => void)[] {
  if (typeof value !== 'object' || value === null || '$known' in value || '$file' in value) return [put];
  const holder = value as Record<string, unknown>;
  const inside = Object.keys(holder).flatMap((key) =>
    places(holder[key], (other) => {
      holder[key] = other;
    }),
  );
  return [put, ...inside];
}

const fieldsOf = ({ body }: Draft) => (typeof body === 'object' && body !== null ? body : {});

export const bodyChanges: readonly Arbitrary<Change>[] = [
  change('a value', fc.tuple(fc.nat(), nasty), (draft, [at, value]) => {
    const all = places(draft.body, (other) => {
      draft.body = other;
    });
    all[at % all.length]?.(value);
  }),
  change('a bound', fc.tuple(fc.nat(), fc.nat()), (draft, [at, which]) => {
    const bounded = Object.entries(draft.operation.body?.properties ?? {}).filter(([, one]) => beyond(one).length > 0);
    const [name, schema] = bounded[at % bounded.length] ?? [];
    const values = beyond(schema ?? {});
    if (name !== undefined) draft.body = { ...fieldsOf(draft), [name]: values[which % values.length] ?? null };
  }),
  change('a field left out', fc.nat(), (draft, at) => {
    const fields = Object.entries(fieldsOf(draft));
    draft.body = Object.fromEntries(fields.filter((_, index) => index !== at % fields.length));
  }),
  change(
    'an unknown field',
    fc.tuple(pick(['__proto__', 'constructor', 'id', 'toString', '', 'a.b', 'a[0]', '\u0000']), nasty),
    (draft, [name, value]) => {
      // Assignment to __proto__ would set the prototype.
      draft.body = Object.fromEntries<Value>([...Object.entries(fieldsOf(draft)), [name, value]]) as Value;
    },
  ),
];

export const bytesChanges: readonly Arbitrary<Change>[] = [
  change('the bytes', pick(nastyBytes), (draft, raw) => {
    draft.raw = raw;
  }),
  change('the content type', pick(nastyTypes), ({ headers }, type) => {
    headers['Content-Type'] = type;
  }),
  change(
    'the encoding',
    pick(['gzip', 'br', 'deflate', 'zstd', 'identity', 'gzip, gzip', 'x']),
    ({ headers }, encoding) => {
      headers['Content-Encoding'] = encoding;
    },
  ),
];

const queryNames = ({ operation }: Draft) =>
  operation.parameters.filter((one) => one.in === 'query').map(({ name }) => name);

export const otherChanges: readonly Arbitrary<Change>[] = [
  change('the id', pick(nastyIds), (draft, text) => {
    draft.path = draft.operation.path.replace(/\{\w+\}/, text);
  }),
  change('the path', pick(pathAlterations), (draft, alter) => {
    draft.path = alter(draft.operation.path.replace(/\{\w+\}/g, '1'));
  }),
  change(
    'the method',
    pick(['HEAD', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'PUT', 'DELETE', 'POST', 'GET']),
    (draft, method) => {
      draft.method = method;
    },
  ),
  change('a query value', fc.tuple(fc.nat(), pick(nastyTexts)), (draft, [at, text]) => {
    const names = queryNames(draft);
    const name = names[at % names.length];
    if (name !== undefined) draft.query = [...draft.query.filter(([other]) => other !== name), [name, text]];
  }),
  change('a query key', fc.tuple(fc.nat(), pick(['', '[]', '[0]', '[a][b]', '.x', '['])), (draft, [at, suffix]) => {
    const names = queryNames(draft);
    const name = names[at % names.length] ?? 'unknown';
    draft.query.push([name, '1'], [`${name}${suffix}`, '2']);
  }),
  change(
    'an unknown query key',
    pick([
      '__proto__',
      '__proto__[role]',
      'constructor[prototype][role]',
      'token',
      '_method',
      '\u0000',
      '\ud800',
      'x'.repeat(3000),
    ]),
    ({ query }, key) => {
      query.push([key, 'admin']);
    },
  ),
  change('the token', pick(nastyTokens), ({ headers }, value) => {
    headers['Authorization'] = value;
  }),
  change('a header', fc.tuple(pick(headerNames), pick(nastyHeaders)), ({ headers }, [name, value]) => {
    headers[name] = value;
  }),
  change('a key', fc.nat(30), ({ headers }, number) => {
    headers['Idempotency-Key'] = `key-${number}`;
  }),
];
