import { type DestinationStream, pino } from 'pino';

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
    redact: { paths: secret.flatMap((name) => [`*.${name}`, `*.*.${name}`]), censor: '[redacted]' },
  };
  // Busy, a write a line would cost more than the line: they go out by the page, at least every so many milliseconds and
  // when the process ends.
  return pino(options, destination ?? pino.destination({ sync: false, minLength: 4096, periodicFlush: 100 }));
}
