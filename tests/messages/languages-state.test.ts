import type { Response } from 'supertest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorCodes } from '../../src/error-codes.ts';
import type { MessageKey } from '../../src/messages/index.ts';
import {
  createScenarioWorld,
  formErrorScenarios,
  type ScenarioWorld,
  stateErrorScenarios,
} from '../support/error-scenarios.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { isText, speaking, texts, toldIn } from '../support/texts.ts';

let trouble: ScenarioWorld;
let busy: TestApp;
beforeAll(async () => {
  trouble = await createScenarioWorld();
  busy = await startTestApp({ databaseUrl: trouble.app.databaseUrl, settings: { RATE_LIMIT_PER_MINUTE: '1' } });
});
afterAll(async () => {
  await busy.stop();
  await trouble.app.stop();
});

/** Names and the messages of success, besides the messages of the operations themselves. */
const noFailures =
  /^(ok|email_confirmation_sent|link_created|batch_assigned|users_(partly_)?created|contact_requests_changed|timer_already_running|calendar_(name|due)|import_(checked|done)|(achievement|category|subject|mail|password_list)_.*)$/;

/** Why a text of a failure is not provoked below. */
const elsewhere: Partial<Record<MessageKey, string>> = {
  service_unavailable: 'needs a database that goes away: tests of faults',
  storage_unavailable: 'needs a folder that cannot be written: tests of health',
  internal_error: 'needs a bug',
  conflict: 'needs a kept answer to be swept between two statements, or sealed under a secret that is gone',
  session_overlap_unknown: 'needs the other record to go in the moment between',
  import_interrupted: 'needs a process that ends: tests of imports',
  email_not_free: 'needs a mail server: tests of changed e-mail addresses',
  too_many_email_changes: 'needs a mail server: tests of changed e-mail addresses',
  import_duplicate: 'is counted, and told of no row',
  import_overlap: 'names the row or the record, unless that was saved while the file was imported',
  too_many_at_once: 'needs requests that are held: tests of work limits',
};
const codesElsewhere = ['SERVICE_UNAVAILABLE', 'INTERNAL_ERROR', 'CONFLICT'];

const seenCodes = new Set<string>();
const codeOf = ({ body }: Response): unknown => body.error?.code ?? body.code;

describe('in both languages, under the same code', () => {
  const kinds = { form: formErrorScenarios, state: stateErrorScenarios };
  test.each(['form', 'state'] as const)('what is wrong with the %s', async (kind) => {
    for (const [key, provoke] of Object.entries(kinds[kind](trouble))) {
      const en = await provoke(speaking(trouble.app, 'en'));
      const zh = await provoke(speaking(trouble.app, 'zh-CN'));
      expect([zh.status, codeOf(zh)], key).toEqual([en.status, codeOf(en)]);
      for (const [answer, locale] of [
        [en, 'en'],
        [zh, 'zh'],
      ] as const) {
        const told = toldIn(answer.body);
        expect(
          told.filter((text) => isText(text, key as MessageKey, locale)).length,
          `${key}: ${told.join(' | ')}`,
        ).toBeGreaterThan(0);
      }
      seenCodes.add(String(codeOf(en)));
    }
  });

  test('too many requests', async () => {
    await busy.as(trouble.ann).get('/api/timer');
    for (const locale of ['en', 'zh'] as const) {
      const answer = await speaking(busy, locale)(trouble.ann).get('/api/timer').expect(429);
      expect(isText(answer.body.message, 'rate_limited', locale)).toBe(true);
      seenCodes.add(String(codeOf(answer)));
    }
  });
});

test('a second factor that must be set up first', async () => {
  const settings = { REQUIRE_OTP: 'all' };
  const requiring = await startTestApp({ databaseUrl: trouble.app.databaseUrl, settings });
  try {
    for (const locale of ['en', 'zh'] as const) {
      const answer = await speaking(requiring, locale)(trouble.ann).get('/api/timer').expect(403);
      expect(isText(answer.body.message, 'otp_setup_required', locale)).toBe(true);
      seenCodes.add(String(codeOf(answer)));
    }
  } finally {
    await requiring.stop();
  }
});

test('every text of a failure, and every code, is provoked here or has a reason', () => {
  const { operations } = trouble.app.container;
  const successes = new Set<string>(operations.flatMap(({ message }) => (message === undefined ? [] : [message])));
  const provoked = new Set([
    ...Object.keys(formErrorScenarios(trouble)),
    ...Object.keys(stateErrorScenarios(trouble)),
    'rate_limited',
    'otp_setup_required',
  ]);
  const failures = texts.map(([key]) => key).filter((key) => !noFailures.test(key) && !successes.has(key));
  expect(failures.filter((key) => !provoked.has(key) && elsewhere[key] === undefined)).toEqual([]);
  expect(Object.keys(elsewhere).filter((key) => provoked.has(key))).toEqual([]);
  expect(errorCodes.filter((code) => !seenCodes.has(code) && !codesElsewhere.includes(code))).toEqual([]);
});
