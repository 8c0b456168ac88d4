import { setTimeout as delay } from 'node:timers/promises';
import { type BaseLogger, type DestinationStream, type LogFn, pino } from 'pino';
import { describeError, type LoggedError } from './logged-error.ts';

type Line = { level: number; time: string; msg?: string; err?: LoggedError; [name: string]: unknown };

const labels: Readonly<Record<number, string>> = { 40: 'warning: ', 50: 'error: ', 60: 'fatal: ' };
const indent = ' '.repeat(10);

/** Writes the log for people: a short line for each event instead of JSON. */
function terminalLog(output: NodeJS.WritableStream): DestinationStream {
  return { write: (line) => void output.write(`${readable(JSON.parse(line) as Line)}\n`) }; // pino's own JSON
}

export function readable({ level, time, msg = '', err, ...rest }: Line): string {
  const { text, values } = msg === 'request' ? ofRequest(rest) : { text: msg, values: rest };
  const at = new Date(time).toTimeString().slice(0, 8);
  const words = [`${labels[level] ?? ''}${text}`, ...describe(values), ...(err === undefined ? [] : [ofError(err)])];
  return [`${at}  ${words.join('  ')}`, ...(err?.stack?.split('\n') ?? []).map((frame) => indent + frame)].join('\n');
}

function ofRequest({ method, path, status, ms, code, user }: Record<string, unknown>) {
  return { text: `${method} ${path} ${status}`, values: { code, user, ms } };
}

function describe(values: Record<string, unknown>): string[] {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${name}=${Array.isArray(value) ? value.length : plain(value)}`);
}

function plain(value: unknown): unknown {
  return typeof value === 'object' ? JSON.stringify(value) : value;
}

function ofError({ type, code, reason, statement, text, response, cause }: LoggedError): string {
  const where = statement === undefined ? undefined : `in ${statement}`;
  const known = [type, reason ?? code, where].filter((part) => part !== undefined).join(' ');
  const own = [known, text ?? response].filter((part) => part !== undefined).join(': ');
  return cause === undefined ? own : `${own} (${ofError(cause)})`;
}

export type Logger = ReturnType<typeof createLogger>;

export type LogOptions = {
  destination?: DestinationStream;
  /** Whether the messages of errors are logged, which may contain request data. */
  messages?: boolean;
};

export function createLogger(level: string, { destination, messages = false }: LogOptions = {}) {
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
    serializers: { err: (error: unknown) => describeError(error, messages) },
    hooks: { logMethod: withoutBareError },
    redact: { paths: redactedKeys.flatMap((name) => [`*.${name}`, `*.*.${name}`]), censor: '[redacted]' },
  };
  return pino(options, destination ?? (process.stdout.isTTY ? terminalLog(process.stdout) : buffered()));
}

/** A write per line would cost more than the line itself. No line is older than half a second; `flush` before the process ends. */
function buffered(): DestinationStream {
  const output = pino.destination({ sync: false, minLength: 16_000, periodicFlush: 500 });
  output.flushSync = () => undefined; // on a closed pipe it would retry for ever
  return output;
}

const flushLimit = 1_000; // ms

/**
 * Writes what is buffered: before the process ends, and before other output, which would otherwise appear above earlier lines. Waits at
 * most a second, as nobody may be reading.
 */
export async function flush(logger: Logger): Promise<void> {
  const limit = new AbortController();
  const late = delay(flushLimit, undefined, { signal: limit.signal }).catch(() => undefined);
  // During a write, the destination's flush only waits for its end; the second one writes the lines logged in between.
  await Promise.race([flushOnce(logger).then(() => flushOnce(logger)), late]);
  limit.abort();
}

function flushOnce(logger: Logger): Promise<void> {
  return new Promise((resolve) => logger.flush(() => resolve()));
}

/** For a bare error, pino would log its message. */
function withoutBareError(this: BaseLogger, args: Parameters<LogFn>, log: LogFn): void {
  const [first, ...rest] = args as [unknown, string?];
  if (first instanceof Error) log.call(this, { err: first }, rest[0] ?? 'error');
  else log.apply(this, args);
}

const quietFor = 60_000; // ms

/**
 * For failures of one kind. While something is unavailable, all of them fail: of these it logs the first, and then one per minute with
 * the number of the others.
 */
export function createOutageLog(): (isOutage: boolean, log: (count: { others?: number }) => void) => void {
  let loggedAt = Number.NEGATIVE_INFINITY;
  let others = 0;
  return (isOutage, log) => {
    if (!isOutage) return log({});
    const now = performance.now();
    if (now - loggedAt < quietFor) {
      others += 1;
      return;
    }
    log(others > 0 ? { others } : {});
    loggedAt = now;
    others = 0;
  };
}
