import { type BaseLogger, type DestinationStream, type LogFn, pino } from 'pino';

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

function ofError({ type, code, reason, cause }: LoggedError): string {
  const own = [type, reason ?? code].filter((part) => part !== undefined).join(' ');
  return cause === undefined ? own : `${own} (${ofError(cause)})`;
}

type LoggedError = {
  type: string;
  code?: string;
  /** The meaning of the code, which does not contain data. */
  reason?: string;
  /** Not the `detail` of database errors, which contains values. */
  constraint?: string;
  table?: string;
  stack: string;
  cause?: LoggedError;
  errors?: LoggedError[];
};

const maxDepth = 5;

const reasons: Readonly<Record<string, string>> = {
  '25006': 'the database is read-only',
  '53100': 'the disk of the database is full',
  '53200': 'the database is out of memory',
  '53300': 'too many connections to the database',
  '57014': 'the statement took too long',
  '57P01': 'the database was shut down',
  '57P03': 'the database is starting',
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'unknown host name',
  ETIMEDOUT: 'no response',
  ENOSPC: 'no space left on the disk',
  EROFS: 'the file system is read-only',
  EACCES: 'permission denied',
};

/** Without the message and other properties, which may contain request data, such as a value that the database rejected. */
function describeError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: `thrown ${typeof error}`, stack: '' };
  const { code, constraint, table } = error as { code?: unknown; constraint?: unknown; table?: unknown };
  const inner = depth < maxDepth;
  return {
    type: error.constructor.name,
    ...(isPlain(code) && { code: String(code) }),
    ...(reasons[String(code)] !== undefined && { reason: reasons[String(code)] }),
    ...(isPlain(constraint) && { constraint: String(constraint) }),
    ...(isPlain(table) && { table: String(table) }),
    stack: frames(error),
    ...(inner && error.cause !== undefined && { cause: describeError(error.cause, depth + 1) }),
    ...(inner &&
      error instanceof AggregateError && {
        errors: error.errors.slice(0, 10).map((each) => describeError(each, depth + 1)),
      }),
  };
}

/** In words, without data: of the innermost cause with a code or a name. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if (error.cause instanceof Error) return reasonOf(error.cause);
  const code = 'code' in error && isPlain(error.code) ? String(error.code) : error.name.slice(0, 64);
  const reason = reasons[code];
  return reason === undefined ? code : `${reason} (${code})`;
}

function isPlain(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && /^[\w.-]{1,64}$/.test(value));
}

/** Removes the message first, because its lines may look like frames. */
function frames({ message, stack = '' }: Error): string {
  const at = message === '' ? -1 : stack.indexOf(message);
  const rest = at === -1 ? stack : stack.slice(at + message.length);
  return rest
    .split('\n')
    .filter((line) => /^ {4}at .*(:\d+:\d+|native|<anonymous>|index \d+)\)?$/.test(line))
    .map((line) => line.trim())
    .join('\n');
}

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

/** A write per line would cost more than the line itself. Flushed when the process ends; no line is older than half a second. */
function buffered(): DestinationStream {
  return pino.destination({ sync: false, minLength: 16_000, periodicFlush: 500 });
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
