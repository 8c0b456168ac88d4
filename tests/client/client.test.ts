import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createClient, isApiError, memoryStore, readChanges, type TokenStore } from '../../client/src/index.ts';
import { type Account, createAccount } from '../support/accounts.ts';
import { contactSettings } from '../support/contact.ts';
import { onePixel } from '../support/one-pixel.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

let app: TestApp;
let account: Account;
/** Each request as it arrives at the service: the method, the path and its headers. */
let seen: { what: string; headers: Record<string, string | string[] | undefined> }[] = [];

beforeAll(async () => {
  app = await startTestApp({ settings: contactSettings });
  app.server.prependListener('request', ({ method, url, headers }: Parameters<RequestListener>[0]) => {
    seen.push({ what: `${method} ${url}`, headers });
  });
  account = await createAccount(app);
});
afterAll(() => app.stop());
beforeEach(() => {
  seen = [];
});

const count = (what: string) => seen.filter((request) => request.what === what).length;
const credentials = () => ({ username: account.username, password: account.password });

/** A client that is signed in, and the place where it keeps its tokens. */
async function signedIn(store: TokenStore = memoryStore()) {
  const client = createClient({ baseUrl: app.origin, store });
  await client.signIn(credentials());
  return { client, store };
}

/** A token that the service refuses, as an expired one; the refresh token stays good. */
function spoil(store: TokenStore) {
  const kept = store.load();
  if (kept !== undefined) store.save({ ...kept, token: 'expired.expired.expired' });
}

async function failure(promise: Promise<unknown>) {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!isApiError(error)) throw new Error('it did not fail as an answer of the service', { cause: error });
  return error;
}

describe('signing in', () => {
  test('gives the user and makes further calls as this user', async () => {
    const client = createClient({ baseUrl: app.origin });
    expect(client.isSignedIn()).toBe(false);
    expect((await client.signIn(credentials())).id).toBe(account.id);
    expect((await client.get('/api/auth/me')).data.username).toBe(account.username);
  });

  test('a wrong password is UNAUTHORIZED and renews nothing', async () => {
    const { client } = await signedIn();
    const error = await failure(client.signIn({ username: account.username, password: 'a wrong password' }));
    expect(error).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
    expect(count('POST /api/auth/refresh')).toBe(0);
  });

  test('signing out ends it at the service too', async () => {
    const { client, store } = await signedIn();
    const old = store.load();
    await client.signOut();
    expect(client.isSignedIn()).toBe(false);
    expect(await failure(client.get('/api/auth/me'))).toMatchObject({ code: 'UNAUTHORIZED' });
    store.save(old);
    expect(await failure(client.get('/api/auth/me'))).toMatchObject({ code: 'UNAUTHORIZED' });
  });
});

describe('a token that has expired', () => {
  test('is renewed once when ten calls find out together', async () => {
    const { client, store } = await signedIn();
    spoil(store);
    const answers = await Promise.all(Array.from({ length: 10 }, () => client.get('/api/auth/me')));
    expect(answers.map((answer) => answer.data.id)).toEqual(Array(10).fill(account.id));
    expect(count('POST /api/auth/refresh')).toBe(1);
    expect(count('GET /api/auth/me')).toBe(20);
  });

  test('renewed by another tab is used from there', async () => {
    const { client, store } = await signedIn();
    const good = store.load();
    spoil(store);
    const late = client.get('/api/auth/me');
    store.save(good);
    expect((await late).data.id).toBe(account.id);
    expect(count('POST /api/auth/refresh')).toBe(0);
  });

  test('and cannot be renewed ends the sign-in, once', async () => {
    const store = memoryStore();
    let told = 0;
    const client = createClient({ baseUrl: app.origin, store, onSignedOut: () => told++ });
    store.save({ token: 'expired.expired.expired', refresh_token: 'unknown' });
    const errors = await Promise.all(Array.from({ length: 3 }, () => failure(client.get('/api/auth/me'))));
    expect(errors.map((error) => error.code)).toEqual(['UNAUTHORIZED', 'UNAUTHORIZED', 'UNAUTHORIZED']);
    expect([told, client.isSignedIn(), count('POST /api/auth/refresh')]).toEqual([1, false, 1]);
  });
});

test('what changed is read page by page, and from the beginning after a reset', async () => {
  const { client } = await signedIn();
  for (const name of ['One', 'Two', 'Three']) await client.post('/api/projects', { body: { name } });
  const names = new Set<string>();
  let cursor: string | null = null;
  for await (const page of readChanges(client, undefined, 2)) {
    expect(page.projects.length).toBeLessThanOrEqual(2);
    for (const { name } of page.projects) names.add(name);
    cursor = page.next_cursor;
  }
  expect([...names]).toEqual(expect.arrayContaining(['One', 'Two', 'Three']));

  const stranger = createClient({ baseUrl: app.origin });
  await stranger.signIn(await createAccount(app));
  const pages = [];
  for await (const page of readChanges(stranger, cursor)) pages.push([page.reset, page.projects.length]);
  expect(pages).toEqual([
    [true, 0],
    [false, 0],
  ]);
});

describe('creating', () => {
  test('carries a key of its own, the same one after a renewal', async () => {
    const { client, store } = await signedIn();
    const { data } = await client.post('/api/projects', { body: { name: 'First' } });
    expect(data).toMatchObject({ name: 'First', status: 'active', current_hours: 0 });
    spoil(store);
    await client.post('/api/projects', { body: { name: 'Second' } });
    const keys = seen
      .filter(({ what }) => what === 'POST /api/projects')
      .map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(3);
    expect(keys[1]).toBe(keys[2]);
    expect(keys[0]).not.toBe(keys[1]);
  });

  test('is repeated after a lost response, and creates once', async () => {
    let lost = 0;
    const proxy = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', async () => {
        const { authorization, 'idempotency-key': key } = request.headers;
        const answer = await fetch(`${app.origin}${request.url}`, {
          method: request.method ?? 'GET',
          headers: {
            'Content-Type': 'application/json',
            ...(authorization !== undefined && { Authorization: authorization }),
            ...(key !== undefined && { 'Idempotency-Key': String(key) }),
          },
          body: Buffer.concat(chunks),
        });
        if (request.url === '/api/projects' && lost++ === 0) request.socket.destroy();
        else response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(await answer.text());
      });
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void proxy.close());
    const client = createClient({ baseUrl: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` });
    await client.signIn(credentials());
    const { data } = await client.post('/api/projects', { body: { name: 'Only once' } });
    const rows = await app.query<{ id: number }>(`SELECT id FROM projects WHERE name = 'Only once'`);
    expect(rows).toEqual([{ id: data.id }]);
    expect(lost).toBe(2);
  });
});

describe('changing what was read', () => {
  const path = '/api/projects/{id}';
  async function shared() {
    const [{ client: one }, { client: other }] = [await signedIn(), await signedIn()];
    const { data } = await one.post('/api/projects', { body: { name: 'Shared' } });
    return { one, other, params: { id: data.id } };
  }

  test('is rejected when somebody else changed it first, and can be forced', async () => {
    const { one, other, params } = await shared();
    const opened = await one.get(path, { params });
    const { etag } = await other.get(path, { params });
    const theirs = await other.put(path, { params, body: { name: 'Theirs' }, ifMatch: etag });
    await other.put(path, { params, body: { target_hours: 5 }, ifMatch: theirs.etag });
    const change = () => one.put(path, { params, body: { name: 'Mine' }, ifMatch: opened.etag });
    expect(await failure(change())).toMatchObject({ status: 412, code: 'PRECONDITION_FAILED' });
    await one.put(path, { params, body: { name: 'Mine' }, ifMatch: false });
    expect((await other.get(path, { params })).data.name).toBe('Mine');
  });

  test('is based on what its form was opened with, whatever was read since', async () => {
    const { one, other, params } = await shared();
    const form = await one.get(path, { params });
    await other.put(path, { params, body: { name: 'Theirs' }, ifMatch: false });
    const background = await one.get(path, { params });
    expect(background.etag).not.toBe(form.etag);
    const change = one.put(path, { params, body: { name: 'Mine' }, ifMatch: form.etag });
    expect(await failure(change)).toMatchObject({ code: 'PRECONDITION_FAILED' });
  });
});

test('an upload reports its progress', async () => {
  const { client } = await signedIn();
  const { data: created } = await client.post('/api/projects', { body: { name: 'With a picture' } });
  const params = { id: created.id };
  const told: number[] = [];
  const image = new File([new Uint8Array(await onePixel())], 'a.png', { type: 'image/png' });
  const form = { image };
  const uploaded = await client.post('/api/projects/{id}/image', {
    params,
    form,
    onProgress: (part) => told.push(part),
  });
  expect(told.at(-1)).toBe(1);
  expect((await client.get('/api/projects/{id}', { params })).data.image).toBe(uploaded.data.image_url);
});

describe('a sign-in that the page keeps', () => {
  test('is renewed by the page, once when ten calls find out together', async () => {
    const { store } = await signedIn();
    const good = store.load()?.token;
    let token: string | undefined = 'expired.expired.expired';
    const refused: string[] = [];
    const renew = async (expired: string) => {
      refused.push(expired);
      token = good;
      return good;
    };
    const client = createClient({ baseUrl: app.origin, token: () => token, renew });
    const answers = await Promise.all(Array.from({ length: 10 }, () => client.get('/api/auth/me')));
    expect(answers.map((answer) => answer.data.id)).toEqual(Array(10).fill(account.id));
    expect(refused).toEqual(['expired.expired.expired']);
    expect(count('POST /api/auth/refresh')).toBe(0);
  });

  test('is not renewed by what renews it, nor for a wrong password', async () => {
    const renew = () => Promise.reject(new Error('renewed'));
    const client = createClient({ baseUrl: app.origin, token: () => 'expired.expired.expired', renew });
    const wrong = { ...credentials(), password: 'a wrong password', keep_signed_in: false };
    await failure(client.post('/api/auth/browser/sign-in', { body: wrong }));
    await failure(client.post('/api/auth/browser/refresh', { body: {} }));
    expect(seen.map(({ headers }) => headers['authorization'])).toEqual([undefined, undefined]);
  });
});

test('knows the time of the service', async () => {
  const proxy = createServer((_request, response) => {
    const headers = { 'Content-Type': 'application/json', Date: 'Sun, 01 Feb 2026 08:00:00 GMT' };
    response.writeHead(200, headers).end('{"success":true}');
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void proxy.close());
  const client = createClient({ baseUrl: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` });
  await client.get('/healthz');
  expect(client.serverTime().toISOString()).toMatch(/^2026-02-01T08:00:/);
});

describe('failures', () => {
  test('tell every field, of either envelope', async () => {
    const { client } = await signedIn();
    const ours = await failure(client.post('/api/projects', { body: { name: 'x', target_hours: -1 } }));
    expect(ours).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
    expect(ours.details.map((detail) => detail.field)).toEqual(['name', 'target_hours']);
    expect(ours.requestId).toMatch(/.{8,}/);
    const contact = await failure(
      client.post('/api/contact/submit', {
        body: { name: '林', email: 'nowhere', subject: 'other', message: 'Hello', captcha: '!' },
      }),
    );
    expect(contact).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
    expect(contact.details.map((detail) => detail.field)).toEqual(['name', 'email', 'captcha']);
  });

  test('speak the language that was asked for', async () => {
    const client = createClient({ baseUrl: app.origin, locale: 'zh' });
    expect((await failure(client.get('/api/auth/me'))).message).toMatch(/请先登录/);
    let locale: 'en' | 'zh' = 'en';
    const changing = createClient({ baseUrl: app.origin, locale: () => locale });
    expect((await failure(changing.get('/api/auth/me'))).message).not.toMatch(/请先登录/);
    locale = 'zh';
    expect((await failure(changing.get('/api/auth/me'))).message).toMatch(/请先登录/);
  });

  test('of a proxy are recognised', async () => {
    const proxy = createServer((_request, response) => response.writeHead(502).end('<h1>Bad Gateway</h1>'));
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void proxy.close());
    const client = createClient({ baseUrl: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` });
    expect(await failure(client.get('/healthz'))).toMatchObject({ status: 502, code: 'UNEXPECTED_ANSWER' });
  });
});

test('lists, records and downloads', async () => {
  const { client } = await signedIn();
  const { data: project } = await client.post('/api/projects', { body: { name: 'Chemistry' } });
  await client.post('/api/projects/{id}/sessions', {
    params: { id: project.id },
    body: { started_at: '2026-02-01T08:00:00Z', duration_seconds: 5400, note: 'Acids' },
  });
  const { data } = await client.get('/api/projects', { query: { search: 'chem', limit: 5 } });
  expect(data.projects.map(({ id, current_hours }) => [id, current_hours])).toEqual([[project.id, 1.5]]);
  const csv = await client.download('/api/sessions/export', { query: { format: 'csv', project_id: project.id } });
  expect(await csv.text()).toContain('Acids');
});

test('a contact request, from captcha to number', async () => {
  const client = createClient({ baseUrl: app.origin });
  const { data: captcha } = await client.get('/api/contact/captcha');
  const answer = await client.post('/api/contact/submit', {
    body: {
      name: 'Lin Wei',
      email: 'lin.wei@example.org',
      subject: 'other',
      message: 'Is there a calendar?',
      captcha: captcha.answer ?? '',
      captcha_id: captcha.captcha_id,
    },
  });
  expect(answer.requestId).toBeGreaterThan(0);
});
