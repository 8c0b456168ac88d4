export type LoggedError = {
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
export function describeError(error: unknown, depth = 0): LoggedError {
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
