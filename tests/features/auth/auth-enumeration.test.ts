import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount } from '../../support/accounts.ts';
import { newAddress } from '../../support/contact.ts';
import { processTime } from '../../support/processor-time.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ settings: { TRUST_PROXY: '1' } });
});
afterAll(() => app.stop());

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

test('neither the response nor the work for it reveals which names exist', async () => {
  const names: Readonly<Record<string, string>> = {
    known: (await createAccount(app)).username,
    unknown: 'nobody.at.all',
    inactive: (await createAccount(app, { status: 'inactive' })).username,
    passwordless: (await app.createUser()).username,
  };
  const took: Record<string, number[]> = {};
  const told = new Set<string>();
  for (let round = 0; round < 9; round += 1) {
    for (const [kind, username] of Object.entries(names)) {
      const before = processTime();
      const answer = await app.anonymous
        .post('/api/auth/login', { username, password: 'a wrong password' })
        .set('X-Forwarded-For', newAddress());
      took[kind] = [...(took[kind] ?? []), processTime() - before];
      told.add(JSON.stringify([answer.status, answer.body, Object.keys(answer.headers).sort()]));
    }
  }
  expect([...told]).toHaveLength(1);
  const known = median(took['known'] ?? []);
  for (const kind of Object.keys(names)) {
    expect(median(took[kind] ?? []), kind).toBeGreaterThan(known / 3);
    expect(median(took[kind] ?? []), kind).toBeLessThan(known * 3);
  }
});
