import type { Response } from 'supertest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorCodes } from '../../src/texts/errors.ts';
import type { MessageKey } from '../../src/texts/index.ts';
import {
  createScenarioWorld,
  formErrorScenarios,
  type ScenarioWorld,
  stateErrorScenarios,
} from '../support/error-scenarios.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { clientsIn, isText, messagesIn, texts } from '../support/texts.ts';

let world: ScenarioWorld;
let busy: TestApp;
beforeAll(async () => {
  world = await createScenarioWorld();
  busy = await startTestApp({ databaseUrl: world.app.databaseUrl, settings: { RATE_LIMIT_PER_MINUTE: '1' } });
});
afterAll(async () => {
  await busy.stop();
  await world.app.stop();
});

/** Names and success messages that are not the message of an operation. */
const noFailures =
  /^(ok|nothing_saved|email_confirmation_sent|link_created|batch_(assigned|cleared)|users_(partly_)?created|contact_requests_changed|timer_already_running|calendar_(name|due)|export_(date|start|end|hours|project|note|tags|user)|import_(checked|done|undone)|channel_(test|request)_(title|text)|roster_begun|calendar_imported|(achievement|category|subject|mail|password_list)_.*)$/;

/** Why an error text is not covered below. */
const notCovered: Partial<Record<MessageKey, string>> = {
  service_unavailable: 'needs an unavailable database: see the fault tests',
  storage_unavailable: 'needs a read-only folder: see the health tests',
  internal_error: 'needs a bug',
  too_many_to_compute: 'needs thousands of users: see the tests of progress',
  conflict: 'needs a stored response that is deleted between two statements or encrypted under a former secret',
  session_overlap_unknown: 'needs the other record to be deleted concurrently',
  import_interrupted: 'needs a process that exits: see the import tests',
  email_not_free: 'needs a mail server: see the tests of e-mail address changes',
  too_many_messages: 'needs a mail server: see the tests of messages',
  too_many_email_changes: 'needs a mail server: see the tests of e-mail address changes',
  sso_unavailable: 'needs an identity provider: see the tests of single sign-on',
  sso_expired: 'needs an identity provider: see the tests of single sign-on',
  sso_invalid: 'needs an identity provider: see the tests of single sign-on',
  sso_denied: 'needs an identity provider: see the tests of single sign-on',
  sso_email_unverified: 'needs an identity provider: see the tests of single sign-on',
  sso_other_identity: 'needs an identity provider: see the tests of single sign-on',
  sso_no_account: 'needs an identity provider: see the tests of single sign-on',
  sign_in_again: 'needs an account without a password: see the tests of single sign-on',
  sso_inactive: 'needs an identity provider: see the tests of single sign-on',
  password_sign_in_off: 'needs an identity provider: see the tests of single sign-on',
  ...Object.fromEntries(
    [
      ...[
        'running',
        'interrupted',
        'rights_lost',
        'class_repeated',
        'class_unknown',
        'date',
        'choice',
        'username',
        'email',
        'display_name',
      ],
      ...[
        'external_id',
        'group',
        'many_groups',
        'nobody',
        'repeated',
        'same_account',
        'new_needs',
        'of_other',
        'other_id',
      ],
      ...[
        'group_too_large',
        'group_full',
        'administrator',
        'many_missing',
        'many_new_groups',
        'shortened_number',
        'row_failed',
        'attempts_failed',
      ],
    ].map((name) => [`roster_${name}`, 'is in the result of a background job: see the tests of rosters']),
  ),
  import_day_first: 'tells how a date was read: see the tests of readings',
  import_month_first: 'tells how a date was read: see the tests of readings',
  import_year_first: 'tells how a date was read: see the tests of readings',
  import_duplicate: 'is counted, not reported per row',
  import_tags_left_out: 'is a notice, not an error: see the tests of tags',
  import_shortened: 'is a notice, not an error: see the tests of import files',
  import_other_person: 'is a notice, not an error: see the tests of import files',
  import_project_left_out: 'is a notice, not an error: see the tests of import files',
  import_overlap: 'is used only if the other record was saved during the import',
  user_busy: 'needs a transaction that holds the user: see the tests of revocation',
  image_grows: 'needs a picture of many megapixels: see the image tests',
  too_many_at_once: 'needs requests in progress: see the work limit tests',
};
const codesNotCovered = ['SERVICE_UNAVAILABLE', 'INTERNAL_ERROR', 'CONFLICT'];

const coveredCodes = new Set<string>();
const codeOf = ({ body }: Response): unknown => body.error?.code ?? body.code;

describe('errors have the same code in both languages', () => {
  const kinds = { form: formErrorScenarios, state: stateErrorScenarios };
  test.each(['form', 'state'] as const)('errors about the %s', async (kind) => {
    for (const [key, request] of Object.entries(kinds[kind](world))) {
      const en = await request(clientsIn(world.app, 'en'));
      const zh = await request(clientsIn(world.app, 'zh-CN'));
      expect([zh.status, codeOf(zh)], key).toEqual([en.status, codeOf(en)]);
      for (const [response, locale] of [
        [en, 'en'],
        [zh, 'zh'],
      ] as const) {
        const messages = messagesIn(response.body);
        expect(
          messages.filter((text) => isText(text, key as MessageKey, locale)).length,
          `${key}: ${messages.join(' | ')}`,
        ).toBeGreaterThan(0);
      }
      coveredCodes.add(String(codeOf(en)));
    }
  });

  test('too many requests', async () => {
    await busy.as(world.ann).get('/api/timer');
    for (const locale of ['en', 'zh'] as const) {
      const response = await clientsIn(busy, locale)(world.ann).get('/api/timer').expect(429);
      expect(isText(response.body.message, 'rate_limited', locale)).toBe(true);
      coveredCodes.add(String(codeOf(response)));
    }
  });
});

test('the error about a required second factor is in both languages', async () => {
  const settings = { REQUIRE_OTP: 'all' };
  const requiring = await startTestApp({ databaseUrl: world.app.databaseUrl, settings });
  try {
    for (const locale of ['en', 'zh'] as const) {
      const response = await clientsIn(requiring, locale)(world.ann).get('/api/timer').expect(403);
      expect(isText(response.body.message, 'otp_setup_required', locale)).toBe(true);
      coveredCodes.add(String(codeOf(response)));
    }
  } finally {
    await requiring.stop();
  }
});

test('every error text and code is covered here or has a reason not to be', () => {
  const { operations } = world.app.container;
  const successes = new Set<string>(operations.flatMap(({ message }) => (message === undefined ? [] : [message])));
  const covered = new Set([
    ...Object.keys(formErrorScenarios(world)),
    ...Object.keys(stateErrorScenarios(world)),
    'rate_limited',
    'otp_setup_required',
  ]);
  const failures = texts.map(([key]) => key).filter((key) => !noFailures.test(key) && !successes.has(key));
  expect(failures.filter((key) => !covered.has(key) && notCovered[key] === undefined)).toEqual([]);
  expect(Object.keys(notCovered).filter((key) => covered.has(key))).toEqual([]);
  expect(errorCodes.filter((code) => !coveredCodes.has(code) && !codesNotCovered.includes(code))).toEqual([]);
});
