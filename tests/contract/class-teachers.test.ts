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
  const body = row.body?.(of, subject);
  const request = app.as(of.teacher)[operationOf(id).method](row.path(of, subject), row.file ? undefined : body);
  if (row.file === undefined) return request;
  for (const [name, value] of Object.entries(body ?? {})) request.field(name, String(value));
  request.attach(row.file.field, await row.file.content(), row.file.name);
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

describe('a body that names what is outside, beside what is inside', () => {
  type Pair = readonly [inside: number, outside: number];
  const students = ({ student }: School): Pair => [student.inside.id, student.outside.id];
  const groups = (of: School): Pair => [of.groups.own, of.groups.other];
  const projects = ({ project }: School): Pair => [project.inside, project.outside];
  const named: Readonly<Record<string, (of: School) => Pair>> = {
    ...{ user_ids: students, assigned_user_ids: students, assigned_user_id: students, add: students, remove: students },
    ...{ group_ids: groups, group_id: groups, admin_group_ids: groups, project_ids: projects, project_id: projects },
    contact_request_id: () => [1, 1],
  };
  /** Of the shape whose pairs are processed one by one. */
  const pairs = ({ student, project }: School) => ({
    ...{ project_ids: [project.inside], user_ids: [student.inside.id], assign_type: 'replace' },
  });
  const bodies: Readonly<Record<string, (of: School) => object>> = {
    ...{ 'batchAssign user_ids': pairs, 'batchAssign group_ids': pairs },
    'changeGroupMembers remove': () => ({}),
  };
  const exceptions: Readonly<Record<string, number>> = {
    'batchAssign user_ids': 200,
    'changeGroupMembers remove': 200, // those who are no members stay none
    'sendMessage user_ids': 409, // there is no mail server
  };
  const outside = (of: School) =>
    app.query(
      `SELECT (SELECT json_agg(a ORDER BY a) FROM project_assignments a WHERE a.user_id = $1 OR a.project_id = $2) AS assigned,
         (SELECT json_agg(m ORDER BY m) FROM group_members m WHERE m.user_id = $1 OR m.group_id = $3) AS members,
         (SELECT json_agg(d ORDER BY d.id) FROM school_days d WHERE d.group_id = $3) AS days,
         (SELECT json_agg(s ORDER BY s.id) FROM study_sessions s WHERE s.user_id = $1 OR s.project_id = $2) AS records`,
      [of.student.outside.id, of.project.outside, of.groups.other],
    );

  test('changes nothing outside, and is refused except for pairs that are processed one by one', async () => {
    let of = await createSchool(app);
    const fields = Object.keys(scopeTable).flatMap((id) =>
      Object.keys(Object(Object(operationOf(id).body).shape)).flatMap((field) =>
        /_ids?$|^add$|^remove$/.test(field) ? [[id, field] as const] : [],
      ),
    );
    expect(fields.length).toBeGreaterThan(15);
    for (const [id, field] of fields) {
      const row = scopeTable[id];
      const pair = named[field]?.(of);
      if (row === undefined || pair === undefined) throw new Error(`${id} ${field} names nothing that is known here`);
      const base = bodies[`${id} ${field}`]?.(of) ?? row.body?.(of, 'inside') ?? {};
      const expected = exceptions[`${id} ${field}`] ?? 403;
      const isList = /s$|^add$|^remove$/.test(field);
      for (const value of isList ? [pair, pair.toReversed(), [pair[1]]] : [pair[1]]) {
        const [before, all] = [await outside(of), await fingerprint(app)];
        const { status, text } = await send(id, { ...row, body: () => ({ ...base, [field]: value }) }, of, 'inside');
        expect([id, field, value, status]).toEqual([id, field, value, expected]);
        expect(text).not.toContain(secretName);
        expect(await outside(of)).toEqual(before);
        if (expected !== 200) expect(await fingerprint(app)).toEqual(all);
      }
      if (expected === 200) of = await createSchool(app);
    }
  });
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
