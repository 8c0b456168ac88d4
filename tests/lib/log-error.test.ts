import pg from 'pg';
import { expect, test } from 'vitest';
import { createLogger, type Logger } from '../../src/lib/log/logger.ts';

function write(log: (logger: Logger) => void): { text: string; err: Record<string, unknown> } {
  const lines: string[] = [];
  log(createLogger('info', { write: (line) => void lines.push(line) }));
  return { text: lines.join(''), err: JSON.parse(lines.join('')).err };
}
const logged = (error: unknown) => write((logger) => logger.error({ err: error }, 'request failed'));

test('an error is logged with its type and stack frames, without its message', () => {
  const { text, err } = logged(new TypeError('private-text of somebody'));
  expect(text).not.toContain('private-text');
  expect(err).toMatchObject({ type: 'TypeError', stack: expect.stringMatching(/^at .*log-error\.test\.ts:\d+:\d+/) });
});

test('messages of several lines are not logged, even if they look like frames', () => {
  for (const message of ['one\nprivate-text', 'one\n    at private-text (/x.ts:1:2)', '    at private-text:1:2']) {
    const { text, err } = logged(new Error(message));
    expect(text).not.toContain('private-text');
    expect(err['stack']).toMatch(/^at .*log-error\.test\.ts/);
  }
  const renamed = new Error('private-text');
  renamed.message = 'other';
  expect(logged(renamed).text).not.toContain('private-text');
});

test('causes, aggregated errors and other properties are logged without texts', () => {
  const inner = new Error('private-text', { cause: new Error('private-text') });
  const error = Object.assign(new AggregateError([inner, 'private-text'], 'private-text', { cause: inner }), {
    body: 'private-text',
    code: 'private-text '.repeat(9),
  });
  error.name = 'private-text';
  const { text, err } = logged(error);
  expect(text).not.toContain('private-text');
  expect(err).toMatchObject({ cause: { cause: { type: 'Error' } }, errors: [{ cause: {} }, { stack: '' }] });
  const endless = new Error('x');
  endless.cause = endless;
  expect(logged(endless).text.length).toBeLessThan(20_000);
  expect(logged('private-text').text).not.toContain('private-text');
});

test('a database error is logged with its code and constraint, without values', () => {
  const error = Object.assign(new pg.DatabaseError('duplicate private-text', 1, 'error'), {
    ...{ code: '23505', constraint: 'users_email_key', table: 'users' },
    ...{ detail: 'Key (email)=(private-text) already exists.', where: 'private-text', internalQuery: 'private-text' },
  });
  const { text, err } = logged(error);
  expect(text).not.toContain('private-text');
  expect(err).toMatchObject({ type: 'DatabaseError', code: '23505', constraint: 'users_email_key', table: 'users' });
});

test('an error that is passed directly is logged in the same way', () => {
  for (const text of [undefined, 'job failed']) {
    const line = write((logger) => logger.error(new Error('private-text'), text));
    expect(line.text).not.toContain('private-text');
    expect(line.err).toMatchObject({ type: 'Error' });
  }
});
