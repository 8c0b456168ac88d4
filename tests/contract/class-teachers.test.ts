import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, fingerprint, table, type World } from '../support/access-table.ts';
import {
  createSchool,
  type School,
  type ScopeRow,
  type Subject,
  scopeTable,
  secretName,
  subjects,
} from '../support/scope-table.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

let app: TestApp;
let school: School;
let world: World;
/** Of requests that must change nothing. */
let fresh: School | undefined;
beforeAll(async () => {
  app = await startTestApp();
  school = await createSchool(app);
  world = await createWorld(app);
});
afterAll(() => app.stop());

const operationOf = (id: string) => {
  const found = app.container.operations.find((operation) => operation.id === id);
  if (found === undefined) throw new Error(`${id} is no longer an operation`);
  return found;
};

async function send(id: string, row: ScopeRow, of: School, subject: Subject) {
  const request = app.as(of.teacher)[operationOf(id).method](row.path(of, subject), row.body?.(of, subject));
  if (row.file !== undefined) request.attach(row.file.field, await row.file.content(), row.file.name);
  return request;
}
const expectedOf = ({ expected }: ScopeRow, subject: Subject): number =>
  typeof expected === 'number' ? expected : (expected[subjects.indexOf(subject)] ?? 0);

test('every operation of administrators is closed to class teachers or in the table', () => {
  const ofAdministrators = app.container.operations.filter(
    ({ id, access }) => access === 'admin' || ((table[id]?.admin ?? 400) < 400 && (table[id]?.unrelated ?? 0) >= 400),
  );
  const open = ofAdministrators.filter(({ access, scoped }) => access !== 'admin' || scoped === true);
  expect(open.map(({ id }) => id).filter((id) => !(id in scopeTable))).toEqual([]);
  expect(ofAdministrators.filter(({ access, scoped }) => access === 'admin' && scoped !== true).length).toBeGreaterThan(
    20,
  );
});

describe('an operation that declares no scope is closed to class teachers', () => {
  const ids = Object.keys(table).filter((id) => table[id]?.owner === 403 && !(id in scopeTable));
  test.each(ids)('%s', async (id) => {
    const row = table[id];
    if (row === undefined) throw new Error(`${id} has no row`);
    const request = app.as(school.teacher)[operationOf(id).method](row.path(world), row.body?.(world));
    if (row.file !== undefined) request.attach(row.file.field, await row.file.content(), row.file.name);
    expect((await request).status).toBe(403);
  });
});

describe('class teachers', () => {
  const cases = Object.keys(scopeTable).flatMap((id) => subjects.map((subject) => [id, subject] as const));
  test.each(cases)('%s: %s', async (id, subject) => {
    const row = scopeTable[id];
    if (row === undefined) throw new Error(`${id} has no row`);
    const isRead = operationOf(id).method === 'get';
    const status = expectedOf(row, subject);
    if (status < 400 && !isRead) {
      fresh = undefined;
      school = await createSchool(app);
    }
    const before = status >= 400 ? await fingerprint(app) : undefined;
    const response = await send(id, row, school, subject);
    expect(response.status).toBe(status);
    expect(`${response.text} ${JSON.stringify(response.headers)}`).not.toContain(secretName);
    if (before !== undefined) expect(await fingerprint(app)).toEqual(before);
  });
});

describe('a filter by what is outside', () => {
  const reads = (name: string) =>
    Object.keys(scopeTable).filter(
      (id) => operationOf(id).method === 'get' && name in (operationOf(id).query?.shape ?? {}),
    );
  const read = (id: string, name: string, value: string | number) =>
    app.as(school.teacher).get(`${scopeTable[id]?.path(school, 'inside').split('?')[0]}?${name}=${value}`);
  beforeAll(async () => {
    school = await createSchool(app);
  });

  test('by class is refused by every operation', async () => {
    const ids = reads('group_id');
    expect(ids.length).toBeGreaterThan(7);
    for (const id of ids) {
      const { status } = await read(id, 'group_id', school.groups.other);
      expect([id, status]).toEqual([id, 403]);
    }
  });

  test.each(['user_id', 'username', 'project_id'] as const)(
    'by %s is refused, or finds as much as one that does not exist',
    async (name) => {
      const { student, project } = school;
      const values = {
        user_id: [student.outside.id, 999_999],
        username: [student.outside.username, 'nobody-at-all'],
        project_id: [project.outside, 999_999],
      } as const;
      const [outside, unknown] = values[name];
      const ids = reads(name);
      expect(ids.length).toBeGreaterThan(1);
      for (const id of ids) {
        const [found, nothing] = [await read(id, name, outside), await read(id, name, unknown)];
        if (found.status !== 403) expect([id, found.status, found.text]).toEqual([id, nothing.status, nothing.text]);
      }
    },
  );
});

test('a change whose preview was allowed is rejected when the class was taken away since', async () => {
  const of = await createSchool(app);
  const ids = Object.keys(scopeTable).filter((id) => 'dry_run' in (operationOf(id).query?.shape ?? {}));
  expect(ids.length).toBeGreaterThan(5);
  const statuses = async (query: string) => {
    const found: [string, number][] = [];
    for (const id of ids) {
      const row = scopeTable[id];
      if (row === undefined) throw new Error(`${id} has no row`);
      const { status } = await send(id, { ...row, path: (...given) => row.path(...given) + query }, of, 'inside');
      found.push([id, status]);
    }
    return found;
  };
  for (const [id, status] of await statuses('?dry_run=true')) expect([id, status]).toEqual([id, 200]);
  await app.query('DELETE FROM admin_groups WHERE user_id = $1', [of.teacher.id]);
  const before = await fingerprint(app);
  for (const [id, status] of await statuses('')) expect([id, status]).toEqual([id, 403]);
  expect(await fingerprint(app)).toEqual(before);
});

describe('a request whose class is taken away while it waits is rejected', () => {
  const lock = 'SELECT pg_advisory_xact_lock(7246107, ($1::bigint % 2147483647)::integer)';
  const waiting = `
    SELECT count(*) AS number FROM pg_locks l JOIN pg_database d ON d.oid = l.database
    WHERE d.datname = current_database() AND l.locktype = 'advisory' AND NOT l.granted`;

  const writes = Object.keys(scopeTable).filter(
    (id) => expectedOf(scopeTable[id] ?? { path: () => '', expected: 0 }, 'inside') < 300,
  );
  test.each(writes)('%s', async (id) => {
    const row = scopeTable[id];
    if (row === undefined || operationOf(id).method === 'get') return;
    fresh ??= await createSchool(app);
    const of = fresh;
    let response: Promise<{ status: number }> | undefined;
    await app.transaction(async (query) => {
      await query(lock, [of.teacher.id]);
      let done = false;
      response = send(id, row, of, 'inside').finally(() => {
        done = true;
      });
      for (let number = 0; number === 0 && !done; ) number = (await query<{ number: number }>(waiting))[0]?.number ?? 0;
      await query('DELETE FROM admin_groups WHERE user_id = $1', [of.teacher.id]);
    });
    const before = await fingerprint(app);
    expect([403, 404]).toContain((await response)?.status);
    expect(await fingerprint(app)).toEqual(before);
    await app.query('INSERT INTO admin_groups (user_id, group_id) VALUES ($1, $2)', [of.teacher.id, of.groups.own]);
  });
});
