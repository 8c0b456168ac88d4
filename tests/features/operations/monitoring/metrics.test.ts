import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startJobs } from '../../../../src/lib/jobs.ts';
import { createLogger } from '../../../../src/lib/log/logger.ts';
import { createLocalStorage } from '../../../../src/lib/storage/local-storage.ts';
import { projectRoot } from '../../../../src/project-root.ts';
import { runJob } from '../../../support/contact.ts';
import { strongSecret, strongToken } from '../../../support/secrets.ts';
import { startTestApp, type TestApp } from '../../../support/test-app.ts';

const token = 'a-token-for-the-metrics';
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ settings: { METRICS_TOKEN: token } });
});
afterAll(() => app.stop());

const read = async () => (await app.anonymous.get('/metrics').set('Authorization', `Bearer ${token}`).expect(200)).text;

describe('metrics', () => {
  test('include version, database and mails, and every counter before its first increment', async () => {
    await runJob(app, 'count background jobs');
    const text = await read();
    const { version } = JSON.parse(await readFile(path.join(projectRoot, 'package.json'), 'utf8'));
    for (const line of [
      'http_requests_refused_total{reason="rate_limited"} 0',
      'storage_failures_total{operation="put"} 0',
      'database_up 1',
      'mails_unsent 0',
      'background_jobs_queued{kind="mail"} 0',
      'background_jobs_oldest_seconds{kind="contact_mail"} 0',
      `studytrack_info{version="${version}",node="${process.version}"} 1`,
    ])
      expect(text).toContain(line);
    const counters = [...text.matchAll(/^# TYPE (\w+) counter$/gm)].map(([, name = '']) => name);
    expect(counters.filter((name) => !/_(total|seconds_total)$/.test(name))).toEqual([]);
  });

  test('include the last success and the failures of jobs', async () => {
    const { metrics } = app.container;
    const logger = createLogger('silent');
    const fails = () => Promise.reject(new Error('a failure'));
    const stop = startJobs(
      [
        { name: 'succeeds', everySeconds: 3600, run: async () => undefined },
        { name: 'fails', everySeconds: 3600, run: fails },
      ],
      logger,
      metrics,
    );
    await stop();
    const text = await read();
    expect(text).toMatch(/^job_last_success_timestamp_seconds\{job="succeeds"\} 1\d{9}/m);
    expect(text).toContain('job_failures_total{job="succeeds"} 0');
    expect(text).toContain('job_failures_total{job="fails"} 1');
    expect(text).not.toContain('timestamp_seconds{job="fails"}');
  });

  test('include failures of the image storage', async () => {
    const storage = app.container.metrics.watchStorage(createLocalStorage('/dev/null/x'));
    await expect(storage.put('a.png', '/dev/null', 'image/png')).rejects.toThrow('storage_unavailable');
    await expect(storage.open('a.png')).rejects.toThrow('ENOTDIR');
    expect(await storage.open('../x')).toBeUndefined();
    const text = await read();
    expect(text).toContain('storage_failures_total{operation="put"} 1');
    expect(text).toContain('storage_failures_total{operation="open"} 1');
  });

  test('count requests by route template, and rejected ones by reason', async () => {
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
    expect(text).toMatch(/^list_cache_hits_total 1$/m);
    expect(text).toMatch(/^database_connections_free [1-9]/m);
    expect(text).toContain('nodejs_eventloop_lag_p99_seconds');
    expect(text).not.toContain('123456');
  });

  test('require the token if one is set', async () => {
    await app.anonymous.get('/metrics').expect(401);
    await app.anonymous.get('/metrics').set('Authorization', `Bearer ${token}x`).expect(401);
  });

  test('without a token are public in development and 404 in production', async () => {
    const open = await startTestApp();
    onTestFinished(open.stop);
    await open.anonymous.get('/metrics').expect(200);

    const production = {
      NODE_ENV: 'production',
      DATABASE_URL: app.databaseUrl,
      JWT_SECRET: strongSecret,
    };
    const closed = await startTestApp({ settings: production });
    onTestFinished(closed.stop);
    for (const path of ['/metrics', '/metricsx']) {
      const response = await fetch(closed.origin + path);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ error: { code: 'RESOURCE_NOT_FOUND' } });
    }
    expect((await fetch(`${closed.origin}/metrics`, { method: 'POST' })).status).toBe(404);

    const guarded = await startTestApp({ settings: { ...production, METRICS_TOKEN: strongToken } });
    onTestFinished(guarded.stop);
    expect((await fetch(`${guarded.origin}/metrics`)).status).toBe(401);
  });
});
