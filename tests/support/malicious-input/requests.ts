import fc, { type Arbitrary } from 'fast-check';
import { bodyChanges, bytesChanges, type Change, otherChanges } from './changes.ts';
import type { Described } from './document.ts';
import type { Caller, Draft, Value } from './draft.ts';
import { known, valid } from './values.ts';

const idOf: Readonly<Record<string, Arbitrary<Value>>> = {
  '/api/projects': known('project'),
  '/api/sessions': known('session'),
  '/api/admin/users': known('user'),
  '/api/admin/contact-requests': known('request'),
  '/api/admin/groups': known('group'),
};

function validParams({ path, parameters }: Described): Arbitrary<Record<string, Value>> {
  const entries = parameters
    .filter((parameter) => parameter.in === 'path')
    .map(({ name, schema }) => [name, (name === 'id' && idOf[path.split('/{', 1)[0] ?? '']) || valid(schema, name)]);
  return fc.record(Object.fromEntries(entries));
}

function validQuery({ parameters }: Described): Arbitrary<[string, Value][]> {
  const entries = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema }) => [name, fc.option(valid(schema, name), { freq: 1, nil: undefined })]);
  return fc
    .record(Object.fromEntries(entries))
    .map((query) => Object.entries(query).filter((entry): entry is [string, Value] => entry[1] !== undefined));
}

/** These hash passwords or process images. */
const slow = /^(resetPassword|changePassword|uploadProjectImage|getCaptcha)$/;

/** A valid request; the caller is drawn independently and may lack the rights. */
function validRequest(operations: readonly Described[]): Arbitrary<Draft> {
  return fc.oneof(
    ...operations.map((operation) => ({
      weight: slow.test(operation.id) ? 1 : operation.method === 'GET' ? 3 : 4,
      arbitrary: fc.record({
        operation: fc.constant(operation),
        caller: callers,
        method: fc.constant(operation.method),
        params: validParams(operation),
        query: validQuery(operation),
        headers: fc.constant({}).map((headers) => ({ ...headers })),
        ...(operation.body !== undefined && { body: valid(operation.body, '') }),
        wrong: fc.constant([]).map(() => [] as string[]),
      }),
    })),
  );
}
const callers: Arbitrary<Caller> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<Caller>('anonymous') },
  { weight: 5, arbitrary: fc.constant<Caller>('user') },
  { weight: 6, arbitrary: fc.constant<Caller>('admin') },
);

/** A valid request, or one with up to three invalid parts. */
export function anyRequest(operations: readonly Described[]): Arbitrary<Draft> {
  return validRequest(operations).chain((draft) => {
    const ofBody = draft.body === undefined ? [] : [...bodyChanges, ...bodyChanges, ...bytesChanges];
    const one = fc.oneof(...ofBody, ...otherChanges);
    return fc
      .oneof(
        { weight: 5, arbitrary: fc.constant<Change[]>([]) },
        { weight: 6, arbitrary: one.map((single) => [single]) },
        { weight: 1, arbitrary: fc.array(one, { minLength: 2, maxLength: 3 }) },
      )
      .map((changes) => {
        for (const apply of changes) apply(draft);
        return draft;
      });
  });
}
