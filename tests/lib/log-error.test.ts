import pg from 'pg';
import { expect, test } from 'vitest';
import { createLogger, type Logger, readable } from '../../src/lib/log/logger.ts';

function write(log: (logger: Logger) => void): { text: string; err: Record<string, unknown> } {
  const lines: string[] = [];
  log(createLogger('info', { destination: { write: (line) => void lines.push(line) } }));
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

test('a database error about the text of a statement has PostgreSQL’s message and the name of the statement', () => {
  const error = Object.assign(new pg.DatabaseError('column p.idd does not exist', 1, 'error'), {
    ...{ code: '42703', statement: 'get_project' },
  });
  expect(logged(error).err).toMatchObject({ text: 'column p.idd does not exist', statement: 'get_project' });
});

test('the answer of a mail server is logged without addresses', () => {
  const response = '421 4.7.0 Try again later, closing connection for <lin@example.org>. (EHLO)';
  const { text, err } = logged(Object.assign(new Error('private-text'), { code: 'ECONNECTION', response }));
  expect(err['response']).toBe('421 4.7.0 Try again later, closing connection for … (EHLO)');
  expect(text).not.toContain('lin@example.org');
});

test('outside production every error has its message', () => {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  createLogger('info', { destination, messages: true }).error({ err: new TypeError('x is not a function') }, 'failed');
  expect(JSON.parse(lines.join('')).err).toMatchObject({ type: 'TypeError', text: 'x is not a function' });
  expect(readable(JSON.parse(lines.join('')))).toContain('error: failed  TypeError: x is not a function');
});

test('an error that is passed directly is logged in the same way', () => {
  for (const text of [undefined, 'job failed']) {
    const line = write((logger) => logger.error(new Error('private-text'), text));
    expect(line.text).not.toContain('private-text');
    expect(line.err).toMatchObject({ type: 'Error' });
  }
});
