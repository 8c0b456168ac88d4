/** What may be said of an error: where it happened and of what kind it is. */
export type LoggedError = {
  type: string;
  code?: string;
  /** Of the database: which rule was broken. Its `detail` would name the values. */
  constraint?: string;
  table?: string;
  stack: string;
  cause?: LoggedError;
  errors?: LoggedError[];
};

const deepest = 5;

/**
 * An error without its message and whatever other properties it has: they may repeat what a request held, such as a value
 * that the database rejected. The stack is cut down to its frames, since it begins with the message.
 */
export function describeError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: `no error but a ${typeof error}`, stack: '' };
  const { code, constraint, table } = error as { code?: unknown; constraint?: unknown; table?: unknown };
  const inner = depth < deepest;
  return {
    type: error.constructor.name,
    ...(isPlain(code) && { code: String(code) }),
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

/** A message may have lines that look like frames, so it is taken out by its length first. */
function frames({ message, stack = '' }: Error): string {
  const at = message === '' ? -1 : stack.indexOf(message);
  const rest = at === -1 ? stack : stack.slice(at + message.length);
  return rest
    .split('\n')
    .filter((line) => /^ {4}at .*(:\d+:\d+|native|<anonymous>|index \d+)\)?$/.test(line))
    .map((line) => line.trim())
    .join('\n');
}
