import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Caller, callers, fingerprint, makeWorld, type Row, table, type World } from '../support/access-table.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

let app: TestApp;
/** Used again until somebody has changed something. */
let world: World | undefined;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

function expected(row: Row, caller: Caller): number {
  if (caller === 'anonymous' || caller === 'inactive') return row.stranger ?? 401;
  return row[caller === 'legacy' ? 'assigned' : caller];
}

describe('who may do what', () => {
  test('every operation has a row', () => {
    const operations = app.container.operations.map((operation) => operation.id);
    expect(operations.filter((id) => !(id in table))).toEqual([]);
  });

  const cases = Object.keys(table).flatMap((id) => callers.map((caller) => [id, caller] as const));
  test.each(cases)('%s by %s', async (id, caller) => {
    const operation = app.container.operations.find((candidate) => candidate.id === id);
    const row = table[id];
    if (operation === undefined || row === undefined) throw new Error(`${id} is no operation any more`);
    world ??= await makeWorld(app);
    const refused = expected(row, caller) >= 400;
    const before = refused ? await fingerprint(app) : undefined;
    const client = app.as(caller === 'anonymous' ? undefined : world.people[caller]);
    const request = client[operation.method](row.path(world));
    if (row.body !== undefined) request.send(row.body(world));
    if (row.file !== undefined) request.attach(row.file.field, await row.file.content(), row.file.name);
    const answer = await request;
    expect(answer.status).toBe(expected(row, caller));
    if (refused) expect(await fingerprint(app)).toEqual(before);
    else if (operation.method !== 'get') world = undefined;
  });
});
