import { type BaseLogger, type DestinationStream, type LogFn, pino } from 'pino';
import { describeError } from './log-error.ts';

export type Logger = ReturnType<typeof createLogger>;

/** JSON lines on standard output, or on `destination`. What could open a door or belongs to a person is struck out, wherever it stands. */
export function createLogger(level: string, destination?: DestinationStream) {
  const secret = [
    'password',
    'token',
    'refresh_token',
    'current_password',
    'new_password',
    'authorization',
    'cookie',
    'captcha',
    'answer',
    'email',
    'message',
  ];
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
    hooks: { logMethod: withoutBareError },
    redact: { paths: secret.flatMap((name) => [`*.${name}`, `*.*.${name}`]), censor: '[redacted]' },
  };
  // Busy, a write a line would cost more than the line: they go out by the page, at least every so many milliseconds and
  // when the process ends.
  return pino(options, destination ?? pino.destination({ sync: false, minLength: 4096, periodicFlush: 100 }));
}

/** Of an error given without a text, pino would make its message the text of the line. */
function withoutBareError(this: BaseLogger, args: Parameters<LogFn>, log: LogFn): void {
  const [first, ...rest] = args as [unknown, string?];
  if (first instanceof Error) log.call(this, { err: first }, rest[0] ?? 'error');
  else log.apply(this, args);
}
