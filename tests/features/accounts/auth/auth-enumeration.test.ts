import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccountByAdmin } from '../../../support/accounts.ts';
import { newAddress } from '../../../support/contact.ts';
import { processTime } from '../../../support/processor-time.ts';
import { startTestApp, type TestApp } from '../../../support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ settings: { TRUST_PROXY: '1' } });
});
afterAll(() => app.stop());

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

test('neither the response nor its CPU time reveals which names exist', async () => {
  const names: Readonly<Record<string, string>> = {
    known: (await createAccountByAdmin(app)).username,
    unknown: 'nobody.at.all',
    inactive: (await createAccountByAdmin(app, { status: 'inactive' })).username,
    passwordless: (await app.createUser()).username,
  };
  const times: Record<string, number[]> = {};
  const responses = new Set<string>();
  for (let round = 0; round < 9; round += 1) {
    for (const [kind, username] of Object.entries(names)) {
      const before = processTime();
      const response = await app.anonymous
        .post('/api/auth/login', { username, password: 'a wrong password' })
        .set('X-Forwarded-For', newAddress());
      times[kind] = [...(times[kind] ?? []), processTime() - before];
      responses.add(JSON.stringify([response.status, response.body, Object.keys(response.headers).sort()]));
    }
  }
  expect([...responses]).toHaveLength(1);
  const known = median(times['known'] ?? []);
  for (const kind of Object.keys(names)) {
    expect(median(times[kind] ?? []), kind).toBeGreaterThan(known / 3);
    expect(median(times[kind] ?? []), kind).toBeLessThan(known * 3);
  }
});
