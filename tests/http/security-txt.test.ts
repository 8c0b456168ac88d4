import { expect, onTestFinished, test } from 'vitest';
import { createTestClock, startTestApp } from '../support/test-app.ts';

const path = '/.well-known/security.txt';

async function start(settings: NodeJS.ProcessEnv) {
  const clock = createTestClock(new Date('2026-11-21T10:00:00Z'));
  const app = await startTestApp({ settings, clock });
  onTestFinished(app.stop);
  return { app, clock, read: () => fetch(app.origin + path) };
}

test('security.txt has the contact and expires within a year of each request', async () => {
  const settings = { SECURITY_CONTACT: 'mailto:security@example.org', PUBLIC_URL: 'https://study.example.org' };
  const { clock, read } = await start(settings);
  const response = await read();
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(await response.text()).toBe(
    [
      'Contact: mailto:security@example.org',
      'Expires: 2027-05-20T10:00:00.000Z',
      'Preferred-Languages: en, zh',
      'Canonical: https://study.example.org/.well-known/security.txt',
      '',
    ].join('\n'),
  );
  clock.advance(365 * 86_400_000);
  expect(await (await read()).text()).toContain('Expires: 2028-05-19T10:00:00.000Z');
});

test('without a contact there is no security.txt, but the address of password managers', async () => {
  const { app, read } = await start({});
  expect((await read()).status).toBe(404);
  const change = await fetch(`${app.origin}/.well-known/change-password`, { redirect: 'manual' });
  expect([change.status, change.headers.get('location')]).toEqual([302, '/me']);
});

test('the reference page does not store tokens', async () => {
  const { app } = await start({});
  expect(await (await fetch(`${app.origin}/docs/init.js`)).text()).toContain('persistAuthorization: false');
});
