import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

describe('health', () => {
  test('the process answers', async () => {
    const answer = await app.anonymous.get('/healthz').expect(200);
    expect(answer.body.data).toEqual({ status: 'ok' });
    expect(answer.headers['x-request-id']).toBeDefined();
    expect(answer.headers['x-powered-by']).toBeUndefined();
  });

  test('ready with the schema at head, not while draining', async () => {
    await app.anonymous.get('/readyz').expect(200);
    app.container.lifecycle.draining = true;
    await app.anonymous.get('/readyz').expect(503);
    app.container.lifecycle.draining = false;
  });

  test('unknown paths and methods', async () => {
    await app.anonymous.get('/nowhere').expect(404);
    const answer = await app.anonymous.post('/healthz').expect(405);
    expect(answer.headers['allow']).toBe('GET, HEAD');
  });
});
