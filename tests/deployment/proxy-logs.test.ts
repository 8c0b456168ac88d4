import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { projectRoot } from '../../src/project-root.ts';
import { freePort } from '../support/free-port.ts';
import { temporaryFolder } from '../support/service-process.ts';

const documented = (file: string) => readFile(path.join(projectRoot, 'docs', file), 'utf8');
const oneServer = /^```nginx\n(.*?)^```$/ms.exec(await documented('one-server.md'))?.[1] ?? '';
const secret = 'a-secret-of-a-link';
const paths = ['/api/calendar.ics?token=', '/sign-in/callback?state=x&code=', '/confirm-email?token='];

/** The status of a response; certificates of tests are not verified. */
async function statusOf(url: string): Promise<number | undefined> {
  const sent = url.startsWith('https:')
    ? requestHttps(url, { rejectUnauthorized: false, headers: { referer: `${url}x` } })
    : requestHttp(url, { headers: { referer: `${url}x` } });
  const [response] = await once(sent.end(), 'response');
  response.resume();
  return response.statusCode;
}

test.skipIf(spawnSync('nginx', ['-v']).error !== undefined).each([
  ['docs/one-server.md', oneServer],
  ['docs/cluster/nginx.conf', await documented('cluster/nginx.conf')],
])('the logs of nginx as in %s have no query, also when the service cannot be reached', async (_, documentedSite) => {
  const folder = await temporaryFolder();
  const [https, http, service] = await Promise.all([freePort(), freePort(), freePort()]);
  const [key, certificate] = [path.join(folder, 'key.pem'), path.join(folder, 'certificate.pem')];
  const newCertificate = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=study.example.org'];
  execFileSync('openssl', [...newCertificate, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
  const site = documentedSite
    .replace(/(ssl_certificate) .*;/, `$1 ${certificate};`)
    .replace(/(ssl_certificate_key) .*;/, `$1 ${key};`)
    .replaceAll('listen 443', `listen 127.0.0.1:${https}`)
    .replaceAll('listen 80', `listen 127.0.0.1:${http}`)
    .replaceAll(/127\.0\.0\.1:3000|10\.0\.0\.\d+:3000/g, `127.0.0.1:${service}`) // where nothing listens
    .replaceAll('/var/log/nginx', folder);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const file = path.join(folder, 'nginx.conf');
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  await writeFile(file, `${user} daemon off; pid ${folder}/pid; events {} http { ${temporary.join(' ')}\n${site}}`);
  const nginx = spawn('nginx', ['-e', path.join(folder, 'start.log'), '-c', file], { stdio: 'ignore' });
  const ended = once(nginx, 'exit');
  onTestFinished(async () => {
    nginx.kill();
    await ended;
  });
  await expect.poll(() => statusOf(`http://127.0.0.1:${http}/`).catch(() => undefined)).toBeDefined();

  const origins = [`http://127.0.0.1:${http}`, ...(site.includes('ssl') ? [`https://127.0.0.1:${https}`] : [])];
  for (const origin of origins) for (const each of paths) await statusOf(`${origin}${each}${secret}`);
  const accesses = await readFile(path.join(folder, 'access.log'), 'utf8');
  expect(accesses.split('\n')).toHaveLength(origins.length * paths.length + 2);
  expect(accesses).toContain('"GET /api/calendar.ics" 502');
  const logs = await Promise.all(
    ['access.log', 'error.log', 'start.log'].map((name) => readFile(path.join(folder, name), 'utf8')),
  );
  expect(logs.join('\n')).not.toContain(secret);
});
