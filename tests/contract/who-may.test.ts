import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Scope, scopes } from '../../src/actor.ts';
import { createOpenApiDocument } from '../../src/http/openapi/document.ts';
import { type Operation, routesOfAll } from '../../src/http/operation.ts';
import {
  type Caller,
  callers,
  createWorld,
  fingerprint,
  type Row,
  table,
  type World,
} from '../support/access-table.ts';
import { createToken } from '../support/personal-tokens.ts';
import { startTestApp, type TestApp, type TestUser } from '../support/test-app.ts';
import { operationsOfScope } from '../support/token-scopes.ts';

let app: TestApp;
/** Reused until a test changes it, with its fingerprint. */
let world: World | undefined;
let unchanged: unknown;
async function currentWorld(): Promise<World> {
  if (world === undefined) unchanged = undefined;
  world ??= await createWorld(app);
  return world;
}
/** For a request that must change nothing: the fingerprint before it, which is that after the last such request. */
const readUnchanged = async (): Promise<unknown> => {
  unchanged ??= await fingerprint(app);
  return unchanged;
};
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());
/** A request that should have been refused may have changed it. */
afterEach(({ task }) => {
  if (task.result?.state === 'fail') world = undefined;
});

function expected(row: Row, caller: Caller): number {
  if (caller === 'anonymous' || caller === 'inactive') return row.unauthenticated ?? 401;
  return row[caller === 'legacy' ? 'assigned' : caller];
}

type Client = ReturnType<TestApp['as']>;

async function send(client: Client, { method }: Operation, row: Row, to: World) {
  const request = client[method](row.path(to));
  if (row.body !== undefined) request.send(row.body(to));
  if (row.file !== undefined) request.attach(row.file.field, await row.file.content(), row.file.name);
  return request;
}

describe('who may do what', () => {
  test('every operation has a row', () => {
    const operations = app.container.operations.map((operation) => operation.id);
    expect(operations.filter((id) => !(id in table))).toEqual([]);
  });

  // The refused callers come first, and what they changed is compared once.
  test.each(Object.keys(table))('%s', async (id) => {
    const operation = app.container.operations.find((candidate) => candidate.id === id);
    const row = table[id];
    if (operation === undefined || row === undefined) throw new Error(`${id} is no longer an operation`);
    const expectStatus = async (caller: Caller) => {
      const to = await currentWorld();
      const client = app.as(caller === 'anonymous' ? undefined : to.people[caller]);
      const { status } = await send(client, operation, row, to);
      expect([caller, status]).toEqual([caller, expected(row, caller)]);
    };
    const isRefused = (caller: Caller) => expected(row, caller) >= 400;
    const refused = callers.filter(isRefused);
    if (refused.length > 0) {
      await currentWorld();
      const before = await readUnchanged();
      for (const caller of refused) await expectStatus(caller);
      expect(await fingerprint(app)).toEqual(before);
    }
    for (const caller of callers.filter((one) => !isRefused(one))) {
      await expectStatus(caller);
      unchanged = undefined;
      if (operation.method !== 'get') world = undefined;
    }
  });
});

describe('which scope of a personal access token an operation requires', () => {
  const listed = Object.entries(operationsOfScope).flatMap(([scope, ids]) => ids.map((id) => [id, scope] as const));

  test('every operation that is not public is listed once', () => {
    const signedIn = app.container.operations.filter(({ access }) => access !== 'public').map(({ id }) => id);
    expect(listed.map(([id]) => id).toSorted()).toEqual(signedIn.toSorted());
  });

  /** Reused in the same world, because a user has 50 tokens at most. */
  const programs = new WeakMap<World, Map<string, TestUser>>();
  async function programOf(of: World, who: 'owner' | 'admin', scope: Scope): Promise<TestUser> {
    const known = programs.get(of) ?? new Map<string, TestUser>();
    programs.set(of, known);
    const program = known.get(`${who} ${scope}`) ?? (await createToken(app, of.people[who], [scope]));
    if (!known.has(`${who} ${scope}`)) unchanged = undefined;
    known.set(`${who} ${scope}`, program);
    return program;
  }

  test.each(listed)('%s with %s alone', async (id, needed) => {
    const operation = app.container.operations.find((candidate) => candidate.id === id);
    const row = table[id];
    if (operation === undefined || row === undefined) throw new Error(`${id} is no longer an operation`);
    const to = await currentWorld();
    // An administrator, who may have every scope, unless only the owner may use the operation.
    const who = row.admin >= 400 && row.owner < 400 ? 'owner' : 'admin';
    const grantable = scopes.filter((scope) => who === 'admin' || scope !== 'admin'); // owners cannot have it
    const programOfScope = new Map<Scope, TestUser>();
    for (const scope of grantable) programOfScope.set(scope, await programOf(to, who, scope));
    const sendWith = (scope: Scope) => send(app.as(programOfScope.get(scope)), operation, row, to);
    const before = await readUnchanged();
    for (const scope of grantable.filter((one) => one !== needed)) {
      const { status, headers } = await sendWith(scope);
      expect([scope, status]).toEqual([scope, 403]);
      expect([scope, headers['www-authenticate']]).toEqual([scope, expect.stringContaining('insufficient_scope')]);
    }
    expect(await fingerprint(app)).toEqual(before);
    const admitted = grantable.find((scope) => scope === needed);
    if (admitted === undefined) return;
    expect((await sendWith(admitted)).status).toBe(row[who]);
    unchanged = undefined;
    if (operation.method !== 'get') world = undefined;
  });
});

/** Derived from the OpenAPI document alone. */
describe('a stolen token with the scope read', () => {
  type Described = { operationId: string; security: Record<string, readonly string[]>[] };
  const described = () =>
    Object.entries(createOpenApiDocument(app.container.operations).paths ?? {}).flatMap(([, item]) =>
      Object.entries(item as Record<string, Described>).map(([method, found]) => ({ method, ...found })),
    );
  const admits = ({ security }: Described, scope: Scope) =>
    security.some(({ personalToken }) => personalToken?.includes(scope) === true);

  test('is accepted by GET operations only', () => {
    const reading = described().filter((found) => admits(found, 'read'));
    expect(reading.length).toBeGreaterThan(10);
    expect(reading.filter(({ method }) => method !== 'get')).toEqual([]);
  });

  test.each(['owner', 'admin'] as const)('is rejected by every other operation, as %s', async (who) => {
    const fresh = await createWorld(app);
    const thief = await createToken(app, fresh.people[who], ['read']);
    const before = await fingerprint(app);
    for (const found of described().filter(({ security }) => security.length > 0)) {
      if (admits(found, 'read')) continue;
      const operation = routesOfAll(app.container.operations).find(
        ({ route }) => route.id === found.operationId,
      )?.operation;
      const row = operation && table[operation.id];
      if (operation === undefined || row === undefined) throw new Error(`${found.operationId} is no operation`);
      expect([found.operationId, (await send(app.as(thief), operation, row, fresh)).status]).toEqual([
        found.operationId,
        403,
      ]);
    }
    expect(await fingerprint(app)).toEqual(before);
  });
});
