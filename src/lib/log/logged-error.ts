export type LoggedError = {
  type: string;
  /** Outside production; of database errors about the text of a statement, always. Not named message, which is redacted. */
  text?: string;
  /** The name of the failed statement. */
  statement?: string;
  /** What a mail server answered, without words that may be data. */
  response?: string;
  /** Of an object store, also the name of its error. */
  code?: string;
  /** The HTTP status with which an object store answered. */
  status?: number;
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

type Properties = { code?: unknown; constraint?: unknown; table?: unknown; statement?: unknown; response?: unknown };

/** PostgreSQL's class 42 is about the text of the statement, such as an unknown column; the parameters are not in its messages. */
const isAboutStatement = (error: Error, code: unknown) =>
  error.constructor.name === 'DatabaseError' && /^42\w{3}$/.test(String(code));

/**
 * In production without other messages and properties, which may contain request data, such as a value that the database rejected.
 */
export function describeError(error: unknown, withMessages: boolean, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: `thrown ${typeof error}`, stack: '' };
  const { constraint, table, statement, response } = error as Properties;
  const status = statusOf(error);
  const code = (error as Properties).code ?? (status !== undefined && isName(error.name) ? error.name : undefined);
  const inner = depth < maxDepth;
  return {
    type: error.constructor.name,
    ...((withMessages || isAboutStatement(error, code)) && error.message !== '' && { text: error.message }),
    ...(isAnswer(response) && { response: withoutData(response) }),
    ...(isPlain(statement) && { statement: String(statement) }),
    ...(isPlain(code) && { code: String(code) }),
    ...(status !== undefined && { status }),
    ...(reasons[String(code)] !== undefined && { reason: reasons[String(code)] }),
    ...(isPlain(constraint) && { constraint: String(constraint) }),
    ...(isPlain(table) && { table: String(table) }),
    stack: frames(error),
    ...(inner && error.cause !== undefined && { cause: describeError(error.cause, withMessages, depth + 1) }),
    ...(inner &&
      error instanceof AggregateError && {
        errors: error.errors.slice(0, 10).map((each) => describeError(each, withMessages, depth + 1)),
      }),
  };
}

/** In words, without data: of the innermost cause with a code or a name. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if (error.cause instanceof Error) return reasonOf(error.cause);
  const status = statusOf(error);
  const name = isName(error.name) ? error.name : status === undefined ? error.constructor.name : `HTTP ${status}`;
  const code = 'code' in error && isPlain(error.code) ? String(error.code) : name;
  const reason = reasons[code];
  return reason === undefined ? code : `${reason} (${code})`;
}

/** Of SMTP: a status code and a text. */
function isAnswer(response: unknown): response is string {
  return typeof response === 'string' && /^[245]\d\d[ -]/.test(response);
}

/** Its words and numbers, at most forty: what has other characters may be an address, a password, a token or meant for a terminal. */
function withoutData(answer: string): string {
  const words = answer
    .slice(0, 1_000)
    .split(/[\s-]+/)
    .slice(0, 40);
  return words
    .map((word) => (isWord(word) ? word : '…'))
    .join(' ')
    .replaceAll(/…(?: …)+/g, '…')
    .slice(0, 300);
}

const isWord = (word: string) =>
  /^(?:["'(<[]*[\p{L}'’]{0,24}[\])>"'.,:;!?]*|\d{3}|\d\.\d{1,3}\.\d{1,3}:?)$/u.test(word);

/** Of an answer of an object store. */
function statusOf(error: Error): number | undefined {
  const metadata = '$metadata' in error ? error.$metadata : undefined;
  const status =
    typeof metadata === 'object' && metadata !== null && 'httpStatusCode' in metadata
      ? metadata.httpStatusCode
      : undefined;
  return typeof status === 'number' ? status : undefined;
}

/** Of errors of programs; a store may send any text as one. */
const isName = (name: string): boolean => /^[A-Za-z]{1,64}$/.test(name);

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
