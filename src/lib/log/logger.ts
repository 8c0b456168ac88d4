import { type BaseLogger, type DestinationStream, type LogFn, pino } from 'pino';
import { describeError } from './log-error.ts';
import { terminalLog } from './terminal.ts';

export type Logger = ReturnType<typeof createLogger>;

export function createLogger(level: string, destination?: DestinationStream) {
  const redactedKeys = [
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
    redact: { paths: redactedKeys.flatMap((name) => [`*.${name}`, `*.*.${name}`]), censor: '[redacted]' },
  };
  return pino(options, destination ?? (process.stdout.isTTY ? terminalLog(process.stdout) : buffered()));
}

/** A write per line would cost more than the line itself. Flushed when the process ends. */
function buffered(): DestinationStream {
  return pino.destination({ sync: false, minLength: 4096, periodicFlush: 100 });
}

/** Before other output, which would otherwise appear above earlier lines. */
export async function flush(logger: Logger): Promise<void> {
  await new Promise<void>((resolve) => logger.flush(() => resolve()));
}

/** For a bare error, pino would log its message. */
function withoutBareError(this: BaseLogger, args: Parameters<LogFn>, log: LogFn): void {
  const [first, ...rest] = args as [unknown, string?];
  if (first instanceof Error) log.call(this, { err: first }, rest[0] ?? 'error');
  else log.apply(this, args);
}
