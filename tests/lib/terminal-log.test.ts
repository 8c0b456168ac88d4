import { expect, test } from 'vitest';
import { createLogger, readable } from '../../src/lib/log/logger.ts';

/** What a terminal shows for a line of the log. */
function shown(write: (logger: ReturnType<typeof createLogger>) => void): string {
  const lines: string[] = [];
  write(createLogger('info', { destination: { write: (line) => void lines.push(line) } }));
  return lines
    .map((line) => readable(JSON.parse(line)))
    .join('\n')
    .replace(/^\d\d:\d\d:\d\d {2}/, '');
}

test('on a terminal every event is one short line', () => {
  expect(shown((logger) => logger.info({ migrations: ['a', 'b'] }, 'database schema migrated'))).toBe(
    'database schema migrated  migrations=2',
  );
  const request = { request: 'x', method: 'GET', path: '/api/projects', status: 200, ms: 3.1, user: 7, address: '::1' };
  expect(shown((logger) => logger.info(request, 'request'))).toBe('GET /api/projects 200  user=7  ms=3.1');
});

test('an error has its cause on its line and the frames below it', () => {
  const error = new TypeError('with data', { cause: Object.assign(new Error('inner'), { code: 'ECONNREFUSED' }) });
  const [first, second] = shown((logger) => logger.error({ err: error }, 'request failed')).split('\n');
  expect(first).toBe('error: request failed  TypeError (Error connection refused)');
  expect(second).toMatch(/^ {10}at /);
});
