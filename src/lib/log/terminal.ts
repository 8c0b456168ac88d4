import type { DestinationStream } from 'pino';

type Line = { level: number; time: string; msg?: string; err?: LoggedError; [name: string]: unknown };
type LoggedError = { type?: string; code?: string; reason?: string; stack?: string; cause?: LoggedError };

const labels: Readonly<Record<number, string>> = { 40: 'warning: ', 50: 'error: ', 60: 'fatal: ' };
const indent = ' '.repeat(10);

/** Writes the log for people: a short line for each event instead of JSON. */
export function terminalLog(output: NodeJS.WritableStream): DestinationStream {
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
