import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccount, signIn } from '../support/accounts.ts';
import { createProject } from '../support/records.ts';
import { startTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
let ann: TestUser;
let project: string;
beforeAll(async () => {
  app = await startTestApp();
  ann = await app.createUser();
  for (let index = 0; index < 30; index += 1) await createProject(app, ann, `Linear algebra ${index}`);
  project = `/api/projects/${await createProject(app, ann, 'Long')}`;
  await app
    .as(ann)
    .put(project, { description: '𠮷'.repeat(500) })
    .expect(200);
});
afterAll(() => app.stop());

type Sent = { method?: string; headers?: Record<string, string>; body?: object };

/** A response as received, without decompression. */
async function send(path: string, { method = 'GET', headers = {}, body }: Sent = {}) {
  return new Promise<{ status: number; headers: Record<string, string | undefined>; bytes: Buffer }>(
    (resolve, reject) => {
      const call = request(
        `${app.origin}${path}`,
        { method, headers: { ...headers, 'Content-Type': 'application/json' } },
        (response) => {
          const head = {
            status: response.statusCode ?? 0,
            headers: response.headers as Record<string, string | undefined>,
          };
          buffer(response).then((bytes) => resolve({ ...head, bytes }), reject);
        },
      );
      call.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
    },
  );
}
const signedIn = () => ({ Authorization: `Bearer ${ann.token}` });
const acceptingGzip = () => ({ ...signedIn(), 'Accept-Encoding': 'gzip' });

describe('a long response', () => {
  const path = '/api/projects?limit=30';

  test('is compressed on request, with the same content', async () => {
    const plain = await send(path, { headers: signedIn() });
    const small = await send(path, { headers: acceptingGzip() });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(small.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(small.bytes)).toEqual(plain.bytes);
    expect(small.bytes.length).toBeLessThan(plain.bytes.length / 4);
    for (const { headers } of [plain, small]) {
      expect(headers['vary']).toContain('Accept-Encoding');
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
    }
    const again = await send(path, { headers: acceptingGzip() }); // from the cache
    expect(again.bytes).toEqual(small.bytes);
    const head = await send(path, { method: 'HEAD', headers: acceptingGzip() });
    expect(head.headers['etag']).toBe(small.headers['etag']);
    expect(head.bytes).toHaveLength(0);
    const brotli = await send(path, { headers: { ...signedIn(), 'Accept-Encoding': 'gzip, deflate, br' } });
    expect(brotliDecompressSync(brotli.bytes)).toEqual(plain.bytes);
  });

  test.each(['gzip;q=0', 'identity', 'zstd', '*;q=0'])(
    'is not compressed with Accept-Encoding: %s',
    async (accepted) => {
      const response = await send(path, { headers: { ...signedIn(), 'Accept-Encoding': accepted } });
      expect(response.headers['content-encoding']).toBeUndefined();
      expect(JSON.parse(response.bytes.toString()).data.projects).toHaveLength(30);
    },
  );

  test('has the same ETag when compressed, which matches', async () => {
    const plain = (await send(project, { headers: signedIn() })).headers['etag'] ?? '';
    const small = (await send(project, { headers: acceptingGzip() })).headers['etag'] ?? '';
    expect(small).toBe(plain);
    for (const tag of [small, `"other", ${small}`]) {
      for (const headers of [signedIn(), acceptingGzip()]) {
        const response = await send(project, { headers: { ...headers, 'If-None-Match': tag } });
        expect([response.status, response.bytes.length]).toEqual([304, 0]);
      }
    }
    const change = { method: 'PUT', body: { target_hours: 7 }, headers: { ...acceptingGzip(), 'If-Match': small } };
    expect((await send(project, change)).status).toBe(200);
    expect((await send(project, change)).status).toBe(412);
    expect((await send(project, { headers: { ...acceptingGzip(), 'If-None-Match': small } })).status).toBe(200);
  });

  test('is compressed if it is the OpenAPI document', async () => {
    const plain = await send('/openapi.json');
    const small = await send('/openapi.json', { headers: { 'Accept-Encoding': 'gzip' } });
    expect(gunzipSync(small.bytes)).toEqual(plain.bytes);
    expect(small.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
  });

  test('is compressed if it is an export, which is streamed', async () => {
    const record = { started_at: '2026-02-01T08:00:00Z', duration_seconds: 60, note: 'x'.repeat(400) };
    await app.as(ann).post(`${project}/sessions`, record).expect(201);
    const plain = await send('/api/sessions/export', { headers: signedIn() });
    const small = await send('/api/sessions/export', { headers: acceptingGzip() });
    expect(small.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(small.bytes)).toEqual(plain.bytes);
  });
});

describe('never compressed', () => {
  test('a stream of events, which would be delayed', async () => {
    const response = await send('/api/events?seconds=1', { headers: acceptingGzip() });
    expect(response.headers['content-type']).toContain('text/event-stream');
    expect(response.headers['content-encoding']).toBeUndefined();
  });

  test('a short response', async () => {
    const response = await send('/api/auth/me', { headers: acceptingGzip() });
    expect(response.headers['content-encoding']).toBeUndefined();
    expect(response.headers['content-length']).toBe(String(response.bytes.length));
  });

  test('a response that contains a secret', async () => {
    const account = await createAccount(app);
    const { token } = await signIn(app, account);
    const headers = { Authorization: `Bearer ${token}`, 'Accept-Encoding': 'gzip' };
    const body = { current_password: account.password };
    const response = await send('/api/auth/totp', { method: 'POST', headers, body });
    expect(response.status).toBe(200);
    expect(response.bytes.length).toBeGreaterThan(2048);
    expect(response.headers['content-encoding']).toBeUndefined();
  });

  test('an error, which repeats input', async () => {
    const admin = await app.createUser({ role: 'admin' });
    const body = { assign_type: 'add', project_ids: Array.from({ length: 200 }, () => 'x'), user_ids: [1] };
    const headers = { Authorization: `Bearer ${admin.token}`, 'Accept-Encoding': 'gzip' };
    const response = await send('/api/projects/batch-assign', { method: 'POST', headers, body });
    expect(response.status).toBe(400);
    expect(response.bytes.length).toBeGreaterThan(2048);
    expect(response.headers['content-encoding']).toBeUndefined();
  });
});
