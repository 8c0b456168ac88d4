import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/test-app.ts';

const token = 'a-token-for-the-figures';
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ settings: { METRICS_TOKEN: token } });
});
afterAll(() => app.stop());

const read = async () => (await app.anonymous.get('/metrics').set('Authorization', `Bearer ${token}`).expect(200)).text;

describe('figures', () => {
  test('requests are counted by route template, and refusals by reason', async () => {
    const user = await app.createUser();
    await app.as(user).get('/api/projects/123456').expect(404);
    await app.as(user).get('/api/projects').expect(200);
    await app.as(user).get('/api/projects').expect(200);
    await app.anonymous.get('/api/projects').expect(401);
    const text = await read();
    expect(text).toContain(
      'http_request_duration_seconds_count{method="GET",route="/api/projects/:id",status="404"} 1',
    );
    expect(text).toContain('http_requests_refused_total{reason="unauthorized"} 1');
    expect(text).toMatch(/^list_cache_hits 1$/m);
    expect(text).toMatch(/^database_connections_free [1-9]/m);
    expect(text).toContain('nodejs_eventloop_lag_p99_seconds');
    expect(text).not.toContain('123456');
  });

  test('behind the token, when there is one', async () => {
    await app.anonymous.get('/metrics').expect(401);
    await app.anonymous.get('/metrics').set('Authorization', `Bearer ${token}x`).expect(401);
  });

  test('without a token: open in development, an unknown path in production', async () => {
    const open = await startTestApp();
    onTestFinished(open.stop);
    await open.anonymous.get('/metrics').expect(200);

    const production = {
      NODE_ENV: 'production',
      DATABASE_URL: app.databaseUrl,
      JWT_SECRET: randomBytes(48).toString('base64'),
    };
    const closed = await startTestApp({ settings: production });
    onTestFinished(closed.stop);
    for (const path of ['/metrics', '/metricsx']) {
      const answer = await fetch(closed.origin + path);
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({ error: { code: 'RESOURCE_NOT_FOUND' } });
    }
    expect((await fetch(`${closed.origin}/metrics`, { method: 'POST' })).status).toBe(404);

    const guarded = await startTestApp({ settings: { ...production, METRICS_TOKEN: randomBytes(24).toString('hex') } });
    onTestFinished(guarded.stop);
    expect((await fetch(`${guarded.origin}/metrics`)).status).toBe(401);
  });
});
