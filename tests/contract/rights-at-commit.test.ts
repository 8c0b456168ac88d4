import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Operation } from '../../src/http/operation.ts';
import { type Caller, createWorld, fingerprint, type Row, table, type World } from '../support/access-table.ts';
import { startTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
let world: World;
beforeAll(async () => {
  app = await startTestApp();
  world = await createWorld(app);
});
afterAll(() => app.stop());

/** How callers lose their rights; the statements of the operations that remove them. */
const losses: Record<string, string> = {
  'was deactivated': "UPDATE users SET status = 'inactive' WHERE id = $1",
  'signed out': 'UPDATE sign_ins SET revoked_at = now() WHERE user_id = $1',
  'was demoted': "UPDATE users SET role = 'user' WHERE id = $1",
  'was deleted': `UPDATE users SET status = 'inactive', email = NULL, password_hash = NULL, deleted_at = now() WHERE id = $1`,
};

/** A user with the rights of the role and a separate sign-in, because each test removes both. */
async function newCaller(as: Caller): Promise<TestUser> {
  if (as === 'admin') return app.createUser({ role: 'admin' });
  const { id, username, email, role } = world.people.owner;
  const [signIn] = await app.query<{ id: string }>(
    "INSERT INTO sign_ins (user_id, expires_at) VALUES ($1, now() + interval '1 day') RETURNING id",
    [id],
  );
  return { id, username, email, role, token: app.container.tokens.sign({ user_id: id, sign_in_id: signIn?.id ?? '' }) };
}

/** A request whose last byte is held back until `finish`. */
async function hold(operation: Operation, path: string, user: TestUser, body: object) {
  const bytes = Buffer.from(JSON.stringify(body));
  const headers = {
    Authorization: `Bearer ${user.token}`,
    'Content-Type': 'application/json',
    'Content-Length': bytes.length,
  };
  const arrived = once(app.server, 'request');
  const sent = request(new URL(path, app.origin), { method: operation.method.toUpperCase(), headers });
  const received = once(sent, 'response');
  sent.write(bytes.subarray(0, -1));
  await arrived;
  return async () => {
    sent.end(bytes.subarray(-1));
    const [response] = await received;
    await text(response);
    return Number(response.statusCode);
  };
}

const operations = new Map<string, Operation>();
const rows = Object.entries(table);
const callerOf = (row: Row) => (['owner', 'admin'] as const).find((as) => row[as] < 300);

beforeAll(() => {
  for (const operation of app.container.operations) operations.set(operation.id, operation);
});

// Rejected requests change nothing, and so all tests share one world; only its owner loses their rights again and again.
const restoreOwner = `UPDATE users SET status = 'active', email = $2, deleted_at = NULL WHERE id = $1`;
beforeEach(() => app.query(restoreOwner, [world.people.owner.id, world.people.owner.email]));

const writes = rows.filter(
  ([id, row]) => !/^(get|list|export|sync|stream|login|refresh|logout)/.test(id) && callerOf(row) !== undefined,
);
const rejections = [401, 403];

describe('a request whose sender loses the right before the body is complete is rejected', () => {
  const cases = writes
    .filter(([, row]) => row.body !== undefined)
    .flatMap(([id, row]) => Object.keys(losses).map((loss) => [id, loss, row] as const))
    .filter(([, loss, row]) => loss !== 'was demoted' || row.owner === 403);
  test.each(cases)('%s: %s', async (id, loss, row) => {
    const operation = operations.get(id);
    if (operation === undefined || operation.access === 'public') return;
    const caller = await newCaller(callerOf(row) ?? 'admin');
    const finish = await hold(operation, row.path(world), caller, row.body?.(world) ?? {});
    await app.query(losses[loss] ?? '', [caller.id]);
    const before = await fingerprint(app);
    expect(rejections).toContain(await finish());
    expect(await fingerprint(app)).toEqual(before);
  });
});

describe('a write whose sender loses the right while it waits is rejected', () => {
  // Operations that change rights hold this lock; a write waits for it and then verifies the rights again.
  const lock = 'SELECT pg_advisory_xact_lock(7246107, ($1::bigint % 2147483647)::integer)';
  const waiting = `
    SELECT count(*) AS number FROM pg_locks l JOIN pg_database d ON d.oid = l.database
    WHERE d.datname = current_database() AND l.locktype = 'advisory' AND NOT l.granted`;

  const cases = writes.flatMap(([id, row]) =>
    ['was deactivated', 'signed out'].map((loss) => [id, loss, row] as const),
  );
  test.each(cases)('%s: %s', async (id, loss, row) => {
    const operation = operations.get(id);
    if (operation === undefined || operation.access === 'public') return;
    const caller = await newCaller(callerOf(row) ?? 'admin');
    let status: Promise<number> | undefined;
    await app.transaction(async (query) => {
      await query(lock, [caller.id]);
      const sent = app.as(caller)[operation.method](row.path(world), row.body?.(world));
      if (row.file !== undefined) sent.attach(row.file.field, await row.file.content(), row.file.name);
      let done = false;
      status = sent.then((response) => {
        done = true;
        return response.status;
      });
      for (let number = 0; number === 0 && !done; ) number = (await query<{ number: number }>(waiting))[0]?.number ?? 0;
      await query(losses[loss] ?? '', [caller.id]);
    });
    const before = await fingerprint(app);
    expect(rejections).toContain(await status);
    expect(await fingerprint(app)).toEqual(before);
  });
});
