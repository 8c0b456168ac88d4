import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contactSettings, newAddress } from '../../support/contact.ts';
import { expectInvariants } from '../../support/invariants.ts';
import { createClient, type Received } from '../../support/malicious-input/client.ts';
import { readDocument } from '../../support/malicious-input/document.ts';
import type { Draft } from '../../support/malicious-input/draft.ts';
import { createMemory, type Sent } from '../../support/malicious-input/memory.ts';
import { createPeople } from '../../support/malicious-input/people.ts';
import { anyRequest } from '../../support/malicious-input/requests.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

// FUZZ_SEED=… repeats a failed run; FUZZ_RUNS=100000 sends more requests.
const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_121);
const runs = Number(process.env['FUZZ_RUNS'] ?? 2500);

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ settings: contactSettings });
});
afterAll(() => app.stop());

/** Internal details that no response may contain. */
const leaks = /node_modules|\.ts:\d|\bat \w+ \(|SELECT |violates|constraint|relation "|\$argon2|password_hash|SQLSTATE/;
const contactStatuses = [200, 201, 304, 400, 401, 403, 404, 429, 500];

/** The fault of a response, whatever the request was. */
function faultOf({ operation, headers }: Draft, sent: Sent, response: Received): string | undefined {
  const { status, body, type, text } = response;
  const path = sent.path.split('?', 1)[0] ?? '';
  if (status >= 500) return 'a server error';
  if (response.headers['x-content-type-options'] !== 'nosniff' || response.headers['x-powered-by']) return 'headers';
  if (
    type.includes('json') &&
    path.startsWith('/api/') &&
    !/private|no-store/.test(`${response.headers['cache-control']}`)
  )
    return 'a shared cache may store it';
  if (status >= 400 && leaks.test(text)) return 'it leaks internal details';
  if (status >= 400 && sent.method !== 'HEAD') {
    const isContact = /^\/api\/(contact|admin\/contact-requests)(\/|$)/i.test(path);
    const envelope = body as
      | { success?: boolean; message?: string; error?: { message?: string }; code?: string }
      | undefined;
    if (!type.startsWith('application/json') || envelope?.success !== false) return 'no envelope';
    if (
      isContact
        ? envelope.error !== undefined || envelope.code === undefined
        : envelope.error?.message !== envelope.message
    )
      return 'the wrong envelope';
    if (isContact && !contactStatuses.includes(status)) return 'a status that contact operations do not have';
  }
  if (
    'Authorization' in headers &&
    !operation.isPublic &&
    path.startsWith('/api/') &&
    ![401, 400, 404, 405].includes(status)
  )
    return 'an invalid token was accepted';
  if (/^\/(docs|openapi\.json|uploads)/.test(path)) return undefined;
  try {
    app.contract.check(sent.method, sent.path, response);
  } catch (error) {
    return String(error);
  }
  return undefined;
}

/**
 * These need a secret token, a code, the current password, a browser, background work, the address of a receiver or the days of a
 * short period, which
 * random requests do not have.
 */
const unguessable = new Set([
  ...[
    'confirmEmail',
    'unsubscribe',
    'acceptLink',
    'setUp',
    'changePassword',
    'beginTotp',
    'confirmTotp',
    'disableTotp',
  ],
  ...['getTag', 'renameTag', 'deleteTag', 'saveChannel', 'testChannel', 'deleteChannel'],
  ...['getGroupComparison', 'exportGroupComparison', 'endSignIn'],
  ...['createTerm', 'updateTerm', 'deleteTerm', 'createSchoolDay', 'updateSchoolDay', 'deleteSchoolDay'],
  'importSchoolDays',
  ...['createDaysOff', 'updateDaysOff', 'deleteDaysOff', 'excuseUser', 'updateDaysOffOfUser', 'deleteDaysOffOfUser'],
  ...['deleteMe', 'readCalendar', 'downloadExport', 'createWebhook', 'getWebhook', 'updateWebhook', 'deleteWebhook'],
  ...['rotateWebhookSecret', 'listWebhookDeliveries', 'pingWebhook', 'replayWebhookDelivery'],
  ...[
    'beginSingleSignOn',
    'finishSingleSignOn',
    'browserSignIn',
    'browserRefresh',
    'browserSignOut',
    'getSessionImport',
    'undoSessionImport',
    'importRoster',
    'getRoster',
    'readSharedReport',
  ],
]);

test(`${runs} valid and invalid requests get responses that match the OpenAPI document (FUZZ_SEED=${seed})`, {
  timeout: 300_000 + runs * 300,
}, async () => {
  const operations = await readDocument();
  const drafts = fc.sample(anyRequest(operations), { seed, numRuns: runs });
  const client = createClient(app.origin);
  const memory = await createMemory();
  const { callers, replace } = await createPeople(app, memory);

  const faults: string[] = [];
  const succeeded = new Map(operations.map(({ id }) => [id, 0]));
  for (const draft of drafts) {
    if (draft.operation.id === 'submitContactRequest' && memory.captchas.length === 0) {
      memory.learn('getCaptcha', (await app.anonymous.get('/api/contact/captcha')).body);
    }
    const sent = memory.build(draft, callers.get(draft.caller)?.token);
    sent.headers['X-Forwarded-For'] ??= newAddress();
    const response = await client.send(sent).catch((error: unknown) => String(error));
    const fault = typeof response === 'string' ? response : faultOf(draft, sent, response);
    if (fault !== undefined) {
      const shown = {
        ...sent,
        path: sent.path.slice(0, 300),
        body: sent.body?.toString().slice(0, 300),
        response: typeof response === 'string' ? '' : response.text.slice(0, 500),
      };
      faults.push(`${draft.operation.id} (${draft.wrong.join(', ') || 'valid'}): ${fault}\n${JSON.stringify(shown)}`);
    }
    if (typeof response === 'string') continue;
    if (response.status < 300) {
      if (draft.wrong.length === 0) succeeded.set(draft.operation.id, (succeeded.get(draft.operation.id) ?? 0) + 1);
      if (typeof response.body === 'object' && response.body !== null)
        memory.learn(draft.operation.id, response.body as Record<string, unknown>);
    }
    if (draft.operation.id === 'submitContactRequest') memory.captchas.pop();
    // A caller who signed out, or whom another caller deleted or changed.
    const lost = response.status === 401 || (response.status === 403 && draft.caller === 'admin');
    if (lost && draft.caller !== 'anonymous' && !draft.wrong.includes('the token')) await replace(draft.caller);
  }
  client.close();
  expect(faults.slice(0, 20).join('\n\n')).toBe('');
  // Rejections alone would prove little.
  const numbers = [...succeeded.values()];
  expect(numbers.reduce((sum, number) => sum + number)).toBeGreaterThan(runs / 8);
  const never = [...succeeded].filter(([id, n]) => n === 0 && !unguessable.has(id)).map(([id]) => id);
  if (runs >= 2500) expect(never.length, never.join(', ')).toBeLessThan(operations.length / 6);
  await expectInvariants(app);
});
