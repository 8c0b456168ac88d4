import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../../src/db/database.ts';
import * as health from '../../../../src/features/operations/monitoring/health-repository.ts';
import { createDatabaseMonitor, createStorageCheck } from '../../../../src/features/operations/monitoring/readings.ts';
import { createLogger } from '../../../../src/lib/log/logger.ts';
import { onePixel } from '../../../support/one-pixel.ts';
import { startTcpProxy } from '../../../support/servers/tcp-proxy.ts';
import { startTestApp, type TestApp } from '../../../support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

describe('health', () => {
  test('the liveness check returns 200', async () => {
    const response = await app.anonymous.get('/healthz').expect(200);
    expect(response.body.data).toEqual({ status: 'ok' });
    expect(response.headers['x-request-id']).toBeDefined();
    expect(response.headers['x-powered-by']).toBeUndefined();
  });

  test('is ready with the latest schema, but not while draining', async () => {
    await app.anonymous.get('/readyz').expect(200);
    app.container.lifecycle.draining = true;
    await app.anonymous.get('/readyz').expect(503);
    app.container.lifecycle.draining = false;
  });

  test('stays ready while images cannot be stored; uploads return 503 with the reason, which is logged once', async () => {
    const lines: Record<string, unknown>[] = [];
    const logger = createLogger('debug', { destination: { write: (line) => void lines.push(JSON.parse(line)) } });
    const other = await startTestApp({ databaseUrl: app.databaseUrl, logger });
    onTestFinished(other.stop);
    const folder = path.join(other.container.config.images.uploadsDir, 'projects');
    await mkdir(path.dirname(folder), { recursive: true });
    await writeFile(folder, 'not a directory');
    const check = createStorageCheck(other.container.imageStorage, logger);
    await check.run();
    await check.run();
    await other.anonymous.get('/readyz').expect(200);
    const admin = await other.createUser({ role: 'admin' });
    const student = await other.createUser();
    const { body } = await other.as(admin).post('/api/projects', { name: 'Pictures', assigned_user_ids: [student.id] });
    const upload = async () =>
      other
        .as(admin)
        .post(`/api/projects/${body.data.id}/image`)
        .attach('image', await onePixel(), 'pixel.png');
    for (let count = 0; count < 3; count += 1)
      expect(await upload()).toMatchObject({ status: 503, body: { message: expect.stringMatching(/^Files cannot/) } });
    await rm(folder);
    await check.run();
    expect((await upload()).status).toBe(200);

    const logged = (text: string) => lines.filter(({ msg }) => msg === text);
    expect(logged('image storage not writable')).toHaveLength(1);
    expect(logged('image storage writable again')).toHaveLength(1);
    expect(logged('request failed')).toHaveLength(1);
  });

  test('logs when the database becomes unavailable and available again', async () => {
    const lines: Record<string, unknown>[] = [];
    const logger = createLogger('info', { destination: { write: (line) => void lines.push(JSON.parse(line)) } });
    const proxy = await startTcpProxy(app.databaseUrl);
    const database = openDatabase({ url: proxy.url, poolSize: 1 });
    onTestFinished(database.close);
    const monitor = createDatabaseMonitor(() => health.ping(database), logger);
    await monitor.check();
    expect([monitor.isUp(), lines]).toEqual([true, []]);
    await proxy.stop();
    await monitor.check();
    await monitor.check();
    expect(monitor.isUp()).toBe(false);
    const again = await startTcpProxy(app.databaseUrl, proxy.port);
    onTestFinished(again.stop);
    await expect.poll(() => monitor.check().then(monitor.isUp)).toBe(true);
    expect(lines.map(({ msg }) => msg)).toEqual(['database unavailable', 'database available again']);
  });

  test('logs requests with error code and user, and client errors without a stack', async () => {
    const lines: Record<string, unknown>[] = [];
    const logger = createLogger('info', { destination: { write: (line) => void lines.push(JSON.parse(line)) } });
    const other = await startTestApp({ databaseUrl: app.databaseUrl, logger });
    onTestFinished(other.stop);
    const user = await other.createUser();
    await other.as(user).get('/api/projects/123456').expect(404);
    await other.anonymous.get('/api/projects').expect(401);
    await other.as(user).get('/api/projects').expect(200);
    const requests = () => lines.filter(({ msg }) => msg === 'request');
    await expect.poll(requests).toHaveLength(3);
    const [missing, anonymous, success] = requests();
    expect(missing).toMatchObject({ status: 404, code: 'RESOURCE_NOT_FOUND', user: user.id });
    expect(anonymous).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
    expect(anonymous).not.toHaveProperty('user');
    expect(success).toMatchObject({ status: 200, user: user.id });
    expect(success).not.toHaveProperty('code');
  });

  test('rejects unknown paths and methods', async () => {
    await app.anonymous.get('/nowhere').expect(404);
    const response = await app.anonymous.post('/healthz').expect(405);
    expect(response.headers['allow']).toBe('GET, HEAD');
  });
});
