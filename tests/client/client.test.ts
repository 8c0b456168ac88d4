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
/** Each request that the service receives. */
let requests: { line: string; headers: Record<string, string | string[] | undefined> }[] = [];

beforeAll(async () => {
  app = await startTestApp({ settings: contactSettings });
  app.server.prependListener('request', ({ method, url, headers }: Parameters<RequestListener>[0]) => {
    requests.push({ line: `${method} ${url}`, headers });
  });
  account = await createAccount(app);
});
afterAll(() => app.stop());
beforeEach(() => {
  requests = [];
});

const count = (line: string) => requests.filter((request) => request.line === line).length;
const credentials = () => ({ username: account.username, password: account.password });

/** A client that is signed in, and its token store. */
async function signedIn(store: TokenStore = memoryStore()) {
  const client = createClient({ baseUrl: app.origin, store });
  await client.signIn(credentials());
  return { client, store };
}

/** Replaces the access token by one that the service rejects; the refresh token stays valid. */
function expireToken(store: TokenStore) {
  const tokens = store.load();
  if (tokens !== undefined) store.save({ ...tokens, token: 'expired.expired.expired' });
}

async function failure(promise: Promise<unknown>) {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!isApiError(error)) throw new Error('it did not fail with an error response', { cause: error });
  return error;
}

describe('signing in', () => {
  test('returns the user and authenticates later calls as this user', async () => {
    const client = createClient({ baseUrl: app.origin });
    expect(client.isSignedIn()).toBe(false);
    expect((await client.signIn(credentials())).id).toBe(account.id);
    expect((await client.get('/api/auth/me')).data.username).toBe(account.username);
  });

  test('a wrong password returns UNAUTHORIZED and refreshes nothing', async () => {
    const { client } = await signedIn();
    const error = await failure(client.signIn({ username: account.username, password: 'a wrong password' }));
    expect(error).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
    expect(count('POST /api/auth/refresh')).toBe(0);
  });

  test('signing out ends the sign-in at the service too', async () => {
    const { client, store } = await signedIn();
    const old = store.load();
    await client.signOut();
    expect(client.isSignedIn()).toBe(false);
    expect(await failure(client.get('/api/auth/me'))).toMatchObject({ code: 'UNAUTHORIZED' });
    store.save(old);
    expect(await failure(client.get('/api/auth/me'))).toMatchObject({ code: 'UNAUTHORIZED' });
  });
});

describe('an expired token', () => {
  test('is refreshed once for ten concurrent calls', async () => {
    const { client, store } = await signedIn();
    expireToken(store);
    const responses = await Promise.all(Array.from({ length: 10 }, () => client.get('/api/auth/me')));
    expect(responses.map((response) => response.data.id)).toEqual(Array(10).fill(account.id));
    expect(count('POST /api/auth/refresh')).toBe(1);
    expect(count('GET /api/auth/me')).toBe(20);
  });

  test('is not refreshed when another tab has refreshed it', async () => {
    const { client, store } = await signedIn();
    const good = store.load();
    expireToken(store);
    const late = client.get('/api/auth/me');
    store.save(good);
    expect((await late).data.id).toBe(account.id);
    expect(count('POST /api/auth/refresh')).toBe(0);
  });

  test('that cannot be refreshed ends the sign-in once', async () => {
    const store = memoryStore();
    let signedOut = 0;
    const client = createClient({ baseUrl: app.origin, store, onSignedOut: () => signedOut++ });
    store.save({ token: 'expired.expired.expired', refresh_token: 'unknown' });
    const errors = await Promise.all(Array.from({ length: 3 }, () => failure(client.get('/api/auth/me'))));
    expect(errors.map((error) => error.code)).toEqual(['UNAUTHORIZED', 'UNAUTHORIZED', 'UNAUTHORIZED']);
    expect([signedOut, client.isSignedIn(), count('POST /api/auth/refresh')]).toEqual([1, false, 1]);
  });
});

test('changes are read page by page, and from the beginning after a reset', async () => {
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

  const other = createClient({ baseUrl: app.origin });
  await other.signIn(await createAccount(app));
  const pages = [];
  for await (const page of readChanges(other, cursor)) pages.push([page.reset, page.projects.length]);
  expect(pages).toEqual([
    [true, 0],
    [false, 0],
  ]);
});

describe('creating', () => {
  test('sends an idempotency key per call, the same one after a token refresh', async () => {
    const { client, store } = await signedIn();
    const { data } = await client.post('/api/projects', { body: { name: 'First' } });
    expect(data).toMatchObject({ name: 'First', status: 'active', current_hours: 0 });
    expireToken(store);
    await client.post('/api/projects', { body: { name: 'Second' } });
    const keys = requests
      .filter(({ line }) => line === 'POST /api/projects')
      .map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(3);
    expect(keys[1]).toBe(keys[2]);
    expect(keys[0]).not.toBe(keys[1]);
  });

  test('is retried after a lost response, and creates once', async () => {
    let lost = 0;
    const proxy = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', async () => {
        const { authorization, 'idempotency-key': key } = request.headers;
        const upstream = await fetch(`${app.origin}${request.url}`, {
          method: request.method ?? 'GET',
          headers: {
            'Content-Type': 'application/json',
            ...(authorization !== undefined && { Authorization: authorization }),
            ...(key !== undefined && { 'Idempotency-Key': String(key) }),
          },
          body: Buffer.concat(chunks),
        });
        if (request.url === '/api/projects' && lost++ === 0) request.socket.destroy();
        else response.writeHead(upstream.status, { 'Content-Type': 'application/json' }).end(await upstream.text());
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

describe('a conditional change', () => {
  const path = '/api/projects/{id}';
  async function shared() {
    const [{ client: one }, { client: other }] = [await signedIn(), await signedIn()];
    const { data } = await one.post('/api/projects', { body: { name: 'Shared' } });
    return { one, other, params: { id: data.id } };
  }

  test('is rejected if somebody else changed the project first, and can be forced', async () => {
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

  test('uses the version its form was opened with, even if a newer one was read since', async () => {
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
  const progress: number[] = [];
  const image = new File([new Uint8Array(await onePixel())], 'a.png', { type: 'image/png' });
  const form = { image };
  const uploaded = await client.post('/api/projects/{id}/image', {
    params,
    form,
    onProgress: (fraction) => progress.push(fraction),
  });
  expect(progress.at(-1)).toBe(1);
  expect((await client.get('/api/projects/{id}', { params })).data.image).toBe(uploaded.data.image_url);
});

describe('a token that the page manages', () => {
  test('is renewed by the page once for ten concurrent calls', async () => {
    const { store } = await signedIn();
    const good = store.load()?.token;
    let token: string | undefined = 'expired.expired.expired';
    const rejected: string[] = [];
    const renew = async (expired: string) => {
      rejected.push(expired);
      token = good;
      return good;
    };
    const client = createClient({ baseUrl: app.origin, token: () => token, renew });
    const responses = await Promise.all(Array.from({ length: 10 }, () => client.get('/api/auth/me')));
    expect(responses.map((response) => response.data.id)).toEqual(Array(10).fill(account.id));
    expect(rejected).toEqual(['expired.expired.expired']);
    expect(count('POST /api/auth/refresh')).toBe(0);
  });

  test('is renewed once more if the renewed one has ended as well, and then no more', async () => {
    const { store } = await signedIn();
    const valid = store.load()?.token ?? '';
    let token = 'expired.expired.expired';
    let next = ['ended.ended.ended', valid];
    const renew = async () => {
      token = next.shift() ?? '';
      return token;
    };
    const client = createClient({ baseUrl: app.origin, token: () => token, renew });
    expect((await client.get('/api/auth/me')).data.id).toBe(account.id);

    next = ['ended.ended.ended', 'ended.again.ended', valid];
    token = 'expired.expired.expired';
    expect(await failure(client.get('/api/auth/me'))).toMatchObject({ code: 'UNAUTHORIZED' });
    expect(next).toEqual([valid]);
  });

  test('a 401 to a sign-in or a refresh does not trigger a renewal', async () => {
    const renew = () => Promise.reject(new Error('renewed'));
    const client = createClient({ baseUrl: app.origin, token: () => 'expired.expired.expired', renew });
    const wrong = { ...credentials(), password: 'a wrong password', keep_signed_in: false };
    await failure(client.post('/api/auth/browser/sign-in', { body: wrong }));
    await failure(client.post('/api/auth/browser/refresh', { body: {} }));
    expect(requests.map(({ headers }) => headers['authorization'])).toEqual([undefined, undefined]);
  });
});

test("reads the service's time from the Date header", async () => {
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
  test('contain every invalid field, in both envelopes', async () => {
    const { client } = await signedIn();
    const project = await failure(client.post('/api/projects', { body: { name: 'x', target_hours: -1 } }));
    expect(project).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
    expect(project.details.map((detail) => detail.field)).toEqual(['name', 'target_hours']);
    expect(project.requestId).toMatch(/.{8,}/);
    const contact = await failure(
      client.post('/api/contact/submit', {
        body: { name: '林', email: 'nowhere', subject: 'other', message: 'Hello', captcha: '!' },
      }),
    );
    expect(contact).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
    expect(contact.details.map((detail) => detail.field)).toEqual(['name', 'email', 'captcha']);
  });

  test('have messages in the requested language', async () => {
    const client = createClient({ baseUrl: app.origin, locale: 'zh' });
    expect((await failure(client.get('/api/auth/me'))).message).toMatch(/请先登录/);
    let locale: 'en' | 'zh' = 'en';
    const changing = createClient({ baseUrl: app.origin, locale: () => locale });
    expect((await failure(changing.get('/api/auth/me'))).message).not.toMatch(/请先登录/);
    locale = 'zh';
    expect((await failure(changing.get('/api/auth/me'))).message).toMatch(/请先登录/);
  });

  test('of a proxy are reported as an unexpected response', async () => {
    const proxy = createServer((_request, response) => response.writeHead(502).end('<h1>Bad Gateway</h1>'));
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void proxy.close());
    const client = createClient({ baseUrl: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` });
    expect(await failure(client.get('/healthz'))).toMatchObject({ status: 502, code: 'UNEXPECTED_ANSWER' });
  });
});

test('lists projects, records sessions and downloads an export', async () => {
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

test('a contact request is submitted with a captcha', async () => {
  const client = createClient({ baseUrl: app.origin });
  const { data: captcha } = await client.get('/api/contact/captcha');
  const response = await client.post('/api/contact/submit', {
    body: {
      name: 'Lin Wei',
      email: 'lin.wei@example.org',
      subject: 'other',
      message: 'Is there a calendar?',
      captcha: captcha.answer ?? '',
      captcha_id: captcha.captcha_id,
    },
  });
  expect(response.requestId).toBeGreaterThan(0);
});
