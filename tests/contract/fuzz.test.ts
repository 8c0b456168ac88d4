import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contactSettings, newAddress } from '../support/contact.ts';
import { type Answer, createClient } from '../support/fuzz/client.ts';
import { readDocument } from '../support/fuzz/document.ts';
import type { Draft } from '../support/fuzz/draft.ts';
import { createMemory, type Written } from '../support/fuzz/memory.ts';
import { createPeople } from '../support/fuzz/people.ts';
import { anyRequest } from '../support/fuzz/requests.ts';
import { expectInvariants } from '../support/invariants.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

// What failed is repeated with FUZZ_SEED=…; FUZZ_RUNS=100000 looks longer.
const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_121);
const runs = Number(process.env['FUZZ_RUNS'] ?? 3000);

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ settings: contactSettings });
});
afterAll(() => app.stop());

/** What no answer may tell, wherever it comes from. */
const leaks = /node_modules|\.ts:\d|\bat \w+ \(|SELECT |violates|constraint|relation "|\$argon2|password_hash|SQLSTATE/;
const contactStatuses = [200, 201, 304, 400, 401, 403, 404, 429, 500];

/** What is wrong with an answer, whatever was asked. */
function faultOf({ operation, headers }: Draft, sent: Written, answer: Answer): string | undefined {
  const { status, body, type, text } = answer;
  const path = sent.path.split('?', 1)[0] ?? '';
  if (status >= 500) return 'a failure of the service';
  if (answer.headers['x-content-type-options'] !== 'nosniff' || answer.headers['x-powered-by']) return 'headers';
  if (
    type.includes('json') &&
    path.startsWith('/api/') &&
    !/private|no-store/.test(`${answer.headers['cache-control']}`)
  )
    return 'a shared cache may keep it';
  if (status >= 400 && leaks.test(text)) return 'it tells too much';
  if (status >= 400 && sent.method !== 'HEAD') {
    const isContact = /^\/api\/(contact|admin\/contact-requests)(\/|$)/i.test(path);
    const told = body as
      | { success?: boolean; message?: string; error?: { message?: string }; code?: string }
      | undefined;
    if (!type.startsWith('application/json') || told?.success !== false) return 'no envelope';
    if (isContact ? told.error !== undefined || told.code === undefined : told.error?.message !== told.message)
      return 'the envelope of the other side';
    if (isContact && !contactStatuses.includes(status)) return 'a status that side does not have';
  }
  if (
    'Authorization' in headers &&
    !operation.isPublic &&
    path.startsWith('/api/') &&
    ![401, 400, 404, 405].includes(status)
  )
    return 'a broken token did no harm';
  if (/^\/(docs|openapi\.json|uploads)/.test(path)) return undefined;
  try {
    app.contract.check(sent.method, sent.path, answer);
  } catch (error) {
    return String(error);
  }
  return undefined;
}

/**
 * They need a mailed or secret token, a code, the current password, a browser, work in the background or the address of a
 * receiver, which random requests do not have.
 */
const unguessable = new Set([
  ...['confirmEmail', 'acceptLink', 'changePassword', 'beginTotp', 'confirmTotp', 'disableTotp'],
  ...['deleteMe', 'readCalendar', 'downloadExport', 'createWebhook', 'getWebhook', 'updateWebhook', 'deleteWebhook'],
  ...['rotateWebhookSecret', 'listWebhookDeliveries', 'pingWebhook', 'replayWebhookDelivery'],
  ...['browserSignIn', 'browserRefresh', 'browserSignOut'],
]);

test(`${runs} requests, right and wrong ones, are answered as the document says (FUZZ_SEED=${seed})`, {
  timeout: 300_000 + runs * 300,
}, async () => {
  const operations = await readDocument();
  const drafts = fc.sample(anyRequest(operations), { seed, numRuns: runs });
  const client = createClient(app.origin);
  const memory = await createMemory();
  const { callers, renew } = await createPeople(app, memory);

  const faults: string[] = [];
  const well = new Map(operations.map(({ id }) => [id, 0]));
  for (const draft of drafts) {
    if (draft.operation.id === 'submitContactRequest' && memory.captchas.length === 0) {
      memory.learn('getCaptcha', (await app.anonymous.get('/api/contact/captcha')).body);
    }
    const sent = memory.write(draft, callers.get(draft.caller)?.token);
    sent.headers['X-Forwarded-For'] ??= newAddress();
    const answer = await client.send(sent).catch((error: unknown) => String(error));
    const fault = typeof answer === 'string' ? answer : faultOf(draft, sent, answer);
    if (fault !== undefined) {
      const shown = {
        ...sent,
        path: sent.path.slice(0, 300),
        body: sent.body?.toString().slice(0, 300),
        answer: typeof answer === 'string' ? '' : answer.text.slice(0, 500),
      };
      faults.push(
        `${draft.operation.id} (${draft.wrong.join(', ') || 'all right'}): ${fault}\n${JSON.stringify(shown)}`,
      );
    }
    if (typeof answer === 'string') continue;
    if (answer.status < 300) {
      if (draft.wrong.length === 0) well.set(draft.operation.id, (well.get(draft.operation.id) ?? 0) + 1);
      if (typeof answer.body === 'object' && answer.body !== null)
        memory.learn(draft.operation.id, answer.body as Record<string, unknown>);
    }
    if (draft.operation.id === 'submitContactRequest') memory.captchas.pop();
    // Who signed out, or was removed or changed by the other one.
    const lost = answer.status === 401 || (answer.status === 403 && draft.caller === 'admin');
    if (lost && draft.caller !== 'anonymous' && !draft.wrong.includes('the token')) await renew(draft.caller);
  }
  client.close();
  expect(faults.slice(0, 20).join('\n\n')).toBe('');
  // Refusals alone would prove little.
  const numbers = [...well.values()];
  expect(numbers.reduce((sum, number) => sum + number)).toBeGreaterThan(runs / 6);
  const never = [...well].filter(([id, n]) => n === 0 && !unguessable.has(id)).map(([id]) => id);
  if (runs >= 3000) expect(never.length, never.join(', ')).toBeLessThan(operations.length / 8);
  await expectInvariants(app);
});
