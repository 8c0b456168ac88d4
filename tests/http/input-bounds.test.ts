import { expect, test } from 'vitest';
import { boundInput, maxFormTextUnits, maxListItems, maxTextUnits } from '../../src/http/input.ts';
import { readDocument, type Schema } from '../support/malicious-input/document.ts';

test('leaves input within the bounds unchanged', () => {
  const input = { name: 'x'.repeat(maxTextUnits), ids: [1, [2, { a: null }]], isOpen: true };
  expect(boundInput(structuredClone(input))).toEqual(input);
});

test('replaces text that is too long by text that no normalisation shortens', () => {
  const bounded = boundInput({ name: ' '.repeat(90_000), notes: ['\u0301'.repeat(90_000)] });
  const text = `x`.repeat(maxTextUnits + 1);
  expect(bounded).toEqual({ name: text, notes: [text] });
});

test('cuts lists, and what is nested deeper than any schema', () => {
  expect(boundInput(Array.from({ length: 5000 }, () => 1))).toHaveLength(maxListItems);
  const nested = JSON.parse(`${'['.repeat(40_000)}${']'.repeat(40_000)}`);
  expect(JSON.stringify(boundInput(nested)).length).toBeLessThan(40);
});

test('changes no prototype', () => {
  const input = boundInput(JSON.parse('{"__proto__": {"admin": true}}'));
  expect(Object.getPrototypeOf(input)).toBe(Object.prototype);
});

const operations = await readDocument();

function* withDepth(schema: Schema, depth = 0): Generator<{ schema: Schema; depth: number }> {
  yield { schema, depth };
  for (const one of schema.anyOf ?? []) yield* withDepth(one, depth);
  if (schema.items !== undefined) yield* withDepth(schema.items, depth + 1);
  for (const one of Object.values(schema.properties ?? {})) yield* withDepth(one, depth + 1);
}

test('are wider than the limits of every field', () => {
  const schemasOf = (some: typeof operations) =>
    some.flatMap(({ body, parameters }) =>
      [...(body === undefined ? [] : [body]), ...parameters.map(({ schema }) => schema)].flatMap((one) => [
        ...withDepth(one),
      ]),
    );
  const longest = (some: typeof operations) => Math.max(...schemasOf(some).map(({ schema }) => schema.maxLength ?? 0));
  expect(longest(operations.filter(({ isForm }) => !isForm))).toBeLessThanOrEqual(maxTextUnits / 2);
  expect(longest(operations.filter(({ isForm }) => isForm))).toBeLessThanOrEqual(maxFormTextUnits / 2);
  const schemas = schemasOf(operations);
  expect(Math.max(...schemas.map(({ schema }) => schema.maxItems ?? 0))).toBeLessThan(maxListItems);
  expect(Math.max(...schemas.map(({ depth }) => depth))).toBeLessThan(8);
});
