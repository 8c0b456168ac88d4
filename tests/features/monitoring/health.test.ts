import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { openDatabase } from '../../../src/db/database.ts';
import { createDatabaseMonitor } from '../../../src/features/monitoring/database-monitor.ts';
import { createHealthRepository } from '../../../src/features/monitoring/health-repository.ts';
import { createLogger } from '../../../src/lib/log/logger.ts';
import { startTcpProxy } from '../../support/servers/tcp-proxy.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

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

  test('is not ready while images cannot be stored, and logs it', async () => {
    const lines: Record<string, unknown>[] = [];
    const logger = createLogger('debug', { write: (line) => void lines.push(JSON.parse(line)) });
    const other = await startTestApp({ databaseUrl: app.databaseUrl, logger });
    onTestFinished(other.stop);
    const folder = path.join(other.container.config.images.uploadsDir, 'projects');
    await mkdir(path.dirname(folder), { recursive: true });
    await writeFile(folder, 'not a directory');
    const clock = vi.spyOn(performance, 'now');
    onTestFinished(() => void clock.mockRestore());
    clock.mockReturnValue(100_000);
    const response = await other.anonymous.get('/readyz').expect(503);
    expect(response.body).toMatchObject({ message: 'Images cannot be stored at the moment.' });
    await rm(folder);
    await other.anonymous.get('/readyz').expect(503); // the last check is still cached
    clock.mockReturnValue(200_000);
    await other.anonymous.get('/readyz').expect(200);
    await other.anonymous.get('/healthz').expect(200);

    const messages = lines.map(({ msg }) => msg);
    expect(messages.filter((text) => text === 'image storage not writable')).toHaveLength(1);
    expect(messages).toContain('image storage writable again');
    await expect
      .poll(() => lines.filter(({ msg }) => msg === 'request').map(({ path, status, level }) => [path, status, level]))
      .toEqual([
        ['/readyz', 503, 30],
        ['/readyz', 503, 30],
        ['/readyz', 200, 20],
        ['/healthz', 200, 20],
      ]);
  });

  test('logs when the database becomes unavailable and available again', async () => {
    const lines: Record<string, unknown>[] = [];
    const logger = createLogger('info', { write: (line) => void lines.push(JSON.parse(line)) });
    const proxy = await startTcpProxy(app.databaseUrl);
    const database = openDatabase({ url: proxy.url, poolSize: 1 });
    onTestFinished(database.close);
    const monitor = createDatabaseMonitor(createHealthRepository(database).ping, logger);
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
    const logger = createLogger('info', { write: (line) => void lines.push(JSON.parse(line)) });
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
