import { expect, expectTypeOf, test } from 'vitest';
import { compile, constant, empty, join, type RowOf, sql, t } from '../../src/db/sql/sql.ts';
import { command, query } from '../../src/db/sql/statement.ts';

const valuesOf = (of: ReturnType<typeof compile>) => of.parameters.map((parameter) => parameter.value);

test('values become typed parameters in the order of the text, including nested fragments', () => {
  const filter = sql`status = ${t.text('active')}`;
  const compiled = compile(sql`SELECT id FROM projects WHERE ${filter} AND id = ANY(${t.bigints([1, 2])})`);
  expect(compiled.text).toBe('SELECT id FROM projects WHERE status = $1::text AND id = ANY($2::bigint[])');
  expect(valuesOf(compiled)).toEqual(['active', [1, 2]]);
});

test('a parameter that is interpolated twice is sent once; an equal value is a separate parameter', () => {
  const me = t.bigint(7);
  const compiled = compile(sql`SELECT ${me}, ${t.bigint(7)}, ${me}`);
  expect(compiled.text).toBe('SELECT $1::bigint, $2::bigint, $1::bigint');
});

test('user input cannot become SQL', () => {
  const name = `'; DROP TABLE users; --`;
  expect(compile(sql`SELECT ${t.text(name)}`)).toMatchObject({ text: 'SELECT $1::text' });
  // @ts-expect-error a string is not an SQL fragment
  const unsafe = () => sql`SELECT ${name}`;
  expectTypeOf(unsafe).toBeFunction();
});

test('fragments are joined with a separator', () => {
  const fragments = [sql`a = ${t.integer(1)}`, sql`b`, sql`c = ${t.integer(2)}`];
  expect(compile(join(fragments, sql` AND `)).text).toBe('a = $1::integer AND b AND c = $2::integer');
  expect(compile(join([], sql` AND `)).text).toBe('');
  expect(compile(sql`SELECT${empty} 1`).text).toBe('SELECT 1');
});

test('a constant is one text without parameters', () => {
  const piece = constant(join([sql`id`, sql`${sql`name`} AS title`], sql`, `));
  expect(piece.strings).toEqual(['id, name AS title']);
  expect(() => constant(sql`id = ${t.bigint(1)}`)).toThrow('a constant SQL fragment has no parameters');
});

test('each text of a statement is prepared under a separate name', () => {
  const sorted = query('sorted_things', { id: t.bigint }, (by: 'id' | 'name') =>
    by === 'id' ? sql`SELECT id FROM things ORDER BY id` : sql`SELECT id FROM things ORDER BY name`,
  );
  expect([sorted('id').prepared, sorted('name').prepared, sorted('id').prepared]).toEqual([
    'sorted_things',
    'sorted_things_2',
    'sorted_things',
  ]);
  expect(sorted('id').text).toMatch(/^\/\* sorted_things \*\/ SELECT/);
});

test('two statements cannot have the same name', () => {
  command('unique_thing', () => sql`SELECT 1`);
  expect(() => command('unique_thing', () => sql`SELECT 2`)).toThrow('two statements are named unique_thing');
});

test('a row has the types of its columns', () => {
  const columns = {
    id: t.bigint,
    image: t.text.orNull,
    status: t.oneOf(['active', 'paused']),
    tags: t.json<string[]>(),
  };
  expectTypeOf<RowOf<typeof columns>>().toEqualTypeOf<{
    id: number;
    image: string | null;
    status: 'active' | 'paused';
    tags: string[];
  }>();
});
