import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { presentInterface, readInterface } from '../../scripts/release-interface.ts';
import { projectRoot, version } from '../../src/project-root.ts';
import { type ApiDocument, findBreaks } from '../support/compatibility.ts';

/** What has changed on purpose since a release, with the place that tells it to the authors of clients. */
const intended: Record<string, { pattern: RegExp; because: string }[]> = {
  '1.0.0': [
    { pattern: /locale(s\[\])? may be zh-Hant$/, because: 'a language was added (CHANGELOG, Added)' },
    {
      pattern: /group_ids is limited to 100, not 1000$/,
      because: 'the list was cut without an error before (CHANGELOG, Fixed)',
    },
    { pattern: /notices\[\]\.action may be (moved|shortened)$/, because: 'an import corrects more (CHANGELOG, Added)' },
    { pattern: /state may be (not_started|slowing)$/, because: 'goals have more states (CHANGELOG, Added)' },
    {
      pattern: /goals_at_risk\[\]\.(due_date|days_left) may be null$/,
      because: 'a goal without a due date is at risk by its weekly goal (CHANGELOG, Added)',
    },
    {
      pattern: /target_type may be (personal_token|webhook|term|school_day)$/,
      because: 'the audit log has more kinds (CHANGELOG, Added)',
    },
    { pattern: /failures\[\]\.code may be USER_BUSY$/, because: 'a caller waits a bounded time (CHANGELOG, Fixed)' },
    {
      pattern: /failures\[\]\.code may be OUT_OF_SCOPE$/,
      because: 'administrators may be limited to classes (CHANGELOG, Added)',
    },
  ],
};

const baselines = (await readdir(path.join(projectRoot, 'tests/fixtures/releases')))
  .flatMap((file) => (file.endsWith('.interface.json.gz') ? [file.replace('.interface.json.gz', '')] : []))
  .filter((release) => release !== version); // which changes until it is tagged

test.each(baselines)('no client of version %s breaks, except as the changelog says', (release) => {
  const before = readInterface<ApiDocument>(release);
  const now = presentInterface<ApiDocument>();
  const breaks = findBreaks(before.document, now.document);
  const known = intended[release] ?? [];
  expect(breaks.filter((text) => !known.some(({ pattern }) => pattern.test(text)))).toEqual([]);
  expect(known.filter(({ pattern }) => !breaks.some((text) => pattern.test(text)))).toEqual([]);
  expect(before.clientExports.filter((name) => !now.clientExports.includes(name))).toEqual([]);
});

const string = { type: 'string' };
const documentOf = (query: object, body: object, answer: object, path = '/api/things') =>
  ({
    paths: {
      [path]: {
        post: {
          parameters: [{ name: 'sort', in: 'query', schema: query }],
          requestBody: { content: { 'application/json': { schema: body } } },
          responses: { '200': { content: { 'application/json': { schema: answer } } } },
        },
      },
    },
  }) as ApiDocument;
const object = (properties: object, required: string[] = []) => ({ type: 'object', properties, required });
const before = documentOf(
  { enum: ['name', 'date'], type: 'string' },
  object({ name: { type: ['string', 'null'], maxLength: 50 }, old: string }),
  object(
    { id: { type: 'integer' }, state: { type: 'string', enum: ['open'] }, list: { items: string, type: 'array' } },
    ['id'],
  ),
);

test('what breaks a client is named, and additions do not', () => {
  const added = documentOf(
    { enum: ['name', 'date', 'hours'], type: 'string' },
    object({ name: { anyOf: [{ type: 'string', maxLength: 80 }, { type: 'null' }] }, old: string, more: string }),
    object(
      {
        id: { type: 'integer' },
        state: { type: 'string', enum: ['open'] },
        list: { items: string, type: 'array' },
        more: string,
      },
      ['id'],
    ),
  );
  expect(findBreaks(before, added)).toEqual([]);
  const broken = documentOf(
    { enum: ['name'], type: 'string' },
    object({ name: { type: 'string', maxLength: 40 }, more: string }, ['more']),
    object({ id: { type: ['integer', 'null'] }, state: { type: 'string', enum: ['open', 'shut'] } }),
  );
  const at = 'post /api/things';
  expect(findBreaks(before, broken)).toEqual([
    `${at}: query sort may no longer be date`,
    `${at}: body.name may no longer be null`,
    `${at}: body.name is limited to 40, not 50`,
    `${at}: body.old is no longer read`,
    `${at}: body.more is required`,
    `${at}: 200 application/json.id may be missing`,
    `${at}: 200 application/json.id may be null`,
    `${at}: 200 application/json.state may be shut`,
    `${at}: 200 application/json.list is gone`,
    `${at}: 200 application/json.list[] is gone`,
  ]);
  expect(findBreaks(before, { paths: {} })).toEqual([`${at} is gone`]);
});
