import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { webhookEvents } from '../../src/features/integrations/webhooks/webhook-events.ts';
import { webhookDeliveries } from '../../src/features/integrations/webhooks/webhook-projection.ts';
import type { Operation } from '../../src/http/operation.ts';
import { projectRoot } from '../../src/project-root.ts';
import type { RecordedEvent } from '../../src/transactions/event-writer.ts';
import { createWorld, type Row, table, type World } from '../support/access-table.ts';
import { createAccount, signIn } from '../support/accounts.ts';
import { contactFields, contactSettings, getCaptcha } from '../support/contact.ts';
import { oneHoliday } from '../support/scope-table.ts';
import { documentedSync, emptyCopy } from '../support/sync.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

// Every operation that writes, in a world without a webhook and in one with a webhook for all events: what it changed reaches the
// lists, the live updates, the synchronization, the audit log and the webhook. The events that it records are the same in both
// worlds, and so what they cause elsewhere is observed in the first only.

/** Two processes on one database; the second does not run the write. */
let app: TestApp;
let second: TestApp;
let sync: Awaited<ReturnType<typeof documentedSync>>;
/** The events that the write recorded. */
let events: RecordedEvent[] = [];

beforeAll(async () => {
  const settings = { ...contactSettings, SMTP_URL: 'smtp://127.0.0.1:9' }; // mails are queued only
  const clock = createTestClock(); // a running timer has the same duration in all lists
  app = await startTestApp({ settings, clock });
  second = await startTestApp({ databaseUrl: app.databaseUrl, clock });
  sync = await documentedSync();
  recordEvents(app);
});
afterAll(async () => {
  await second.stop();
  await app.stop();
});

function recordEvents({ container: { store } }: TestApp): void {
  const { transaction } = store;
  const recorded = ((context, work) =>
    transaction(context, (tx) => {
      const { record } = tx;
      Object.assign(tx, {
        record: (...given: readonly RecordedEvent[]) => {
          events.push(...given.map((event) => ({ ...event, ...(context && { by: context }) })));
          record(...given);
        },
      });
      return work(tx);
    })) satisfies typeof transaction;
  Object.assign(store, {
    transaction: recorded,
    asService: ((work) => recorded(undefined, work)) satisfies typeof store.asService,
  });
}

type Request = Pick<Row, 'path' | 'body' | 'file'> & { caller: TestUser | undefined; fields?: object };

const csvFile = (text: string) => ({ field: 'file', content: async () => Buffer.from(text), name: 'a.csv' });
const records = 'Project,Start,End\nThe project,2026-02-03 08:00,2026-02-03 09:00\n';

/** The requests of operations that the table of rights calls with something that is rejected. */
const accepted: Record<string, (world: World) => Promise<Partial<Request>>> = {
  stopTimer: async ({ project, people: { owner } }) => {
    await app.as(owner).post('/api/timer/start', { project_id: project }).expect(201);
    return { caller: owner };
  },
  importSessions: async ({ people: { owner } }) => ({
    caller: owner,
    file: csvFile(records),
    fields: { dry_run: 'false' },
  }),
  importSchoolDays: async ({ project, people: { admin } }) => ({
    caller: admin,
    file: { ...csvFile(oneHoliday.replace('Field trip', `Field trip ${project}`)), name: 'a.ics' },
    fields: { dry_run: 'false' },
  }),
  undoSessionImport: async ({ people: { owner } }) => {
    const request = app.as(owner).post('/api/sessions/import').field('dry_run', 'false');
    const { body } = await request.attach('file', Buffer.from(records), 'a.csv').expect(200);
    return { caller: owner, path: () => `/api/sessions/imports/${body.data.import_id}` };
  },
  deleteMe: async ({ project, people: { admin } }) => {
    const account = await createAccount(app);
    const change = { project_ids: [project], user_ids: [account.id], assign_type: 'add' };
    await app.as(admin).post('/api/projects/batch-assign', change).expect(200);
    return { caller: await signIn(app, account), body: () => ({ current_password: account.password }) };
  },
  submitContactRequest: async () => {
    const { captcha_id, answer } = await getCaptcha(app);
    return { caller: undefined, body: () => contactFields({ captcha_id, captcha: answer }) };
  },
  sendMessage: async ({ people: { admin } }) => ({ caller: admin }),
};

/** Operations that change nothing but the proofs and settings of their caller, and are called with something that is rejected. */
const ownProofs = [
  ...['acceptLink', 'beginSingleSignOn', 'beginTotp', 'browserRefresh', 'browserSignIn', 'changePassword'],
  ...['confirmEmail', 'confirmTotp', 'deleteCalendar', 'deleteChannel', 'disableTotp', 'endSignIn'],
  ...['finishSingleSignOn', 'forgotPassword', 'login', 'readSharedReport', 'refreshToken', 'saveChannel'],
  ...['setUp', 'testChannel', 'unsubscribe'],
];
/** They end the sign-in of their caller. */
const signOuts = ['browserSignOut', 'logout'];
/** It is applied by a background job, whose events its own tests see. */
const later = ['importRoster'];
/** They send a message that is no event. */
const messages = ['pingWebhook', 'replayWebhookDelivery'];
const notCalled = new Set([...ownProofs, ...signOuts, ...later]);

type Document = { paths: Record<string, Record<string, { operationId?: string }>> };
const document: Document = JSON.parse(readFileSync(path.join(projectRoot, 'docs/openapi.json'), 'utf8'));
const writes = Object.values(document.paths)
  .flatMap((methods) => Object.entries(methods))
  .flatMap(([method, { operationId = '' }]) => (method === 'get' || !(operationId in table) ? [] : operationId))
  .filter((id) => !notCalled.has(id));

/** Writes by administrators that are not in the audit log, each with the reason. */
const unaudited: Readonly<Record<string, string>> = {
  endSignIns: 'in the security log',
  createSession: 'own records',
  startTimer: 'own records',
  requestExport: 'own data',
  pingWebhook: 'changes no data of users',
  replayWebhookDelivery: 'changes no data of users',
  deleteProjectImage: 'there is no image to delete',
  resetTotp: 'there is no second factor to remove',
  unlinkIdentity: 'there is no identity to unlink',
};
/** Writes that are no event, each with the reason. */
const withoutEvents: Readonly<Record<string, string>> = {
  endSignIns: 'the end of sign-ins, in the security log',
  requestExport: 'a file for the caller alone',
  pingWebhook: 'a delivery without an event',
  replayWebhookDelivery: 'a delivery of an earlier event',
  deleteProjectImage: 'there is no image to delete',
  resetTotp: 'there is no second factor to remove',
  unlinkIdentity: 'there is no identity to unlink',
};

async function requestOf(id: string, row: Row, world: World): Promise<Request> {
  const { owner, admin } = world.people;
  const given = await accepted[id]?.(world);
  return { ...row, caller: row.admin < 400 ? admin : owner, ...given };
}

async function send({ method }: Operation, { caller, path, body, file, fields = {} }: Request, world: World) {
  const request = app.as(caller)[method](path(world));
  if (body !== undefined) request.send(body(world));
  for (const [name, value] of Object.entries(fields)) request.field(name, value);
  if (file !== undefined) request.attach(file.field, await file.content(), file.name);
  return request;
}

type Shown = Record<string, unknown>;
/** Figures of a project change with each record of anyone, of which only its author and the owner of the project hear. */
const entryOf = ({ id, name, status, user_id, assigned_user_ids, started_at, ended_at, note, project_id }: Shown) => [
  ...[id, name, status, user_id, assigned_user_ids, started_at, ended_at, note, project_id],
];

/** The lists that a process shows; a list of 100 may be a cached one, a list of 99 is asked for once. */
async function listsOf(process: TestApp, user: TestUser, limit: number) {
  const projects = await process.as(user).get(`/api/projects?limit=${limit}`).expect(200);
  const sessions = await process.as(user).get(`/api/sessions?limit=${limit}`).expect(200);
  return { projects: projects.body.data.projects.slice(0, 90), sessions: sessions.body.data.sessions.slice(0, 90) };
}

/** Of those whose account still exists. */
async function observe(world: World) {
  const { owner, assigned, unrelated, admin } = world.people;
  const observers = [owner, assigned, unrelated, admin];
  return Promise.all(
    observers.map(async (user) => {
      const copy = emptyCopy();
      await sync(copy, { url: app.origin, token: user.token });
      // The first lists that this new user asks for, and so not cached ones. From now on both processes may have them.
      const [lists] = [await listsOf(second, user, 100), await listsOf(app, user, 100)];
      return { user, copy, lists };
    }),
  );
}

/** By operation: the types of the events that it recorded without a webhook. */
const recordedTypes = new Map<string, string[]>();
const allEvents = `UPDATE webhooks SET events = $2 WHERE id = $1`;
describe.each([
  ['no webhook', false],
  ['a webhook', true],
])('with %s', (_, hasWebhook) => {
  test.each(writes)('%s', async (id) => {
    const operation = app.container.operations.find((candidate) => candidate.id === id);
    const row = table[id];
    if (operation === undefined || row === undefined) throw new Error(`${id} is no operation`);
    const world = await createWorld(app);
    if (hasWebhook) await app.query(allEvents, [world.webhook, webhookEvents]);
    else if (!messages.includes(id)) await app.query('UPDATE webhooks SET active = false');
    const request = await requestOf(id, row, world);
    const before = hasWebhook ? [] : await observe(world);
    const [from] = await app.query<{ audit: number; deliveries: number; snapshot: string }>(
      `SELECT (SELECT coalesce(max(id), 0) FROM audit_log) AS audit, pg_current_snapshot()::text AS snapshot,
         (SELECT coalesce(max(id), 0) FROM webhook_deliveries) AS deliveries`,
    );
    events = [];
    const response = await send(operation, request, world);
    expect([id, response.status]).toEqual([id, expect.toSatisfy((status: number) => status < 300)]);
    expect([id, events.length > 0]).toEqual([id, !(id in withoutEvents)]);
    const types = [...new Set(events.map(({ type }) => type))].toSorted();
    if (hasWebhook) expect(types).toEqual(recordedTypes.get(id) ?? types);
    else recordedTypes.set(id, types);

    const updates = await app.query<{ user_id: number | null; topic: string }>(
      'SELECT DISTINCT user_id, topic FROM live_updates WHERE NOT pg_visible_in_snapshot(changed_in, $1::pg_snapshot)',
      [from?.snapshot ?? ''],
    );
    for (const { user, copy, lists } of before) {
      const now = await listsOf(second, user, 99);
      for (const process of [app, second]) expect(await listsOf(process, user, 100)).toEqual(now);
      const isTold = (...topics: string[]) =>
        updates.some(({ user_id, topic }) => topics.includes(topic) && (user_id ?? world.people.admin.id) === user.id);
      const entries = (list: Shown[]) => JSON.stringify(list.map(entryOf));
      // Administrators hear of what other administrators do.
      const hears = user.role === 'user' || request.caller?.role === 'admin';
      if (hears && entries(now.projects) !== entries(lists.projects))
        expect([user.username, isTold('projects')]).toEqual([user.username, true]);
      if (hears && entries(now.sessions) !== entries(lists.sessions))
        expect([user.username, isTold('projects', 'sessions')]).toEqual([user.username, true]);
      const [changed, fresh] = [copy, emptyCopy()];
      for (const target of [changed, fresh]) await sync(target, { url: second.origin, token: user.token });
      expect([user.username, changed.projects, changed.sessions]).toEqual([
        user.username,
        fresh.projects,
        fresh.sessions,
      ]);
    }
    const [{ count: audited = 0 } = {}] = await app.query<{ count: number }>(
      'SELECT count(*) AS count FROM audit_log WHERE id > $1',
      [from?.audit ?? 0],
    );
    const isLogged = request.caller?.role === 'admin' && !(id in unaudited);
    expect([id, audited > 0]).toEqual([id, isLogged]);
    if (messages.includes(id)) return;
    const delivered = await app.query<{ type: string }>(
      'SELECT DISTINCT type FROM webhook_deliveries WHERE id > $1 ORDER BY type',
      [from?.deliveries ?? 0],
    );
    const announced = webhookDeliveries.rows(events, () => []).map(({ message }) => message.type);
    const expected = hasWebhook && id !== 'deleteWebhook' ? [...new Set(announced)].toSorted() : [];
    expect(delivered.map(({ type }) => type)).toEqual(expected);
  });
});
