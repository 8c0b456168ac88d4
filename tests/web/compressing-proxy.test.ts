import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

const hasNginx = spawnSync('nginx', ['-v']).status === 0;

describe.skipIf(noBrowser || !hasNginx)(
  `behind nginx, which weakens the ETag of what it compresses ${noBrowser || ''}`,
  () => {
    let app: WebApp;
    let origin: string;
    let stopProxy: () => Promise<void>;
    beforeAll(async () => {
      app = await startWebApp();
      const folder = await mkdtemp(path.join(os.tmpdir(), 'studytrack-nginx-'));
      const port = await freePort();
      origin = `http://127.0.0.1:${port}`;
      const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${folder}/${name};`,
      );
      const file = path.join(folder, 'nginx.conf');
      await writeFile(
        file,
        `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; events {}
       http {
         access_log off; ${paths.join(' ')}
         gzip on; gzip_min_length 1; gzip_proxied any; gzip_types application/json;
         server { listen 127.0.0.1:${port}; location / {
           proxy_pass ${app.origin}; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $http_host;
         } }
       }`,
      );
      const nginx = spawn('nginx', ['-c', file], { stdio: 'ignore' });
      stopProxy = async () => {
        nginx.kill();
        await once(nginx, 'exit');
        await rm(folder, { recursive: true });
      };
      await vi.waitFor(() => fetch(`${origin}/healthz`), { timeout: 10_000 });
    });
    afterAll(async () => {
      await stopProxy?.();
      await app?.stop();
    });

    test('the tag of a project is weak, and its form saves with one request', async () => {
      const account = await app.createAccount();
      const [{ id = 0 } = {}] = await app.query<{ id: number }>(
        `INSERT INTO projects (name, user_id) VALUES ('Guitar', $1) RETURNING id`,
        [account.id],
      );
      const { page } = await app.openAs(account, { origin, isLive: false }, `/projects/${id}`);
      const tags: (string | undefined)[] = [];
      const changes: number[] = [];
      page.on('response', (response) => {
        if (!response.url().endsWith(`/api/projects/${id}`)) return;
        if (response.request().method() === 'GET') tags.push(response.headers()['etag']);
        else changes.push(response.status());
      });
      await page.goto(`/projects/${id}/edit`);
      const name = page.getByRole('textbox', { name: 'Name', exact: true });
      await name.fill('Lute');
      await page.getByRole('button', { name: 'Save' }).first().click();
      await page.getByRole('heading', { level: 1, name: 'Lute', exact: true }).waitFor();
      expect(tags[0]).toMatch(/^W\//);
      expect(changes).toEqual([200]);
      expect(await app.query('SELECT name FROM projects WHERE id = $1', [id])).toEqual([{ name: 'Lute' }]);
    });

    test('a form whose version never holds gives up, and says so', async () => {
      const account = await app.createAccount();
      const [{ id = 0 } = {}] = await app.query<{ id: number }>(
        `INSERT INTO projects (name, user_id) VALUES ('Guitar', $1) RETURNING id`,
        [account.id],
      );
      const { page } = await app.openAs(account, { origin, isLive: false }, `/projects/${id}/edit`);
      let changes = 0;
      await page.route(`**/api/projects/${id}`, async (route) => {
        if (route.request().method() !== 'PUT') return route.fallback();
        changes += 1;
        await route.continue({ headers: { ...route.request().headers(), 'if-match': '"1"' } });
      });
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Lute');
      await page.getByRole('button', { name: 'Save' }).first().click();
      await page.getByText('The resource has changed in the meantime').waitFor();
      expect(changes).toBe(3);
    });
  },
);
