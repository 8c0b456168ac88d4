import { ConfigError } from '../config.ts';
import { EmbeddedPostgresError } from '../embedded-postgres/index.ts';
import { UsageError } from '../lib/parse-options.ts';

/** A configuration error; the message says what to change. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

export function startErrorLines(error: unknown): readonly string[] | undefined {
  if (error instanceof ConfigError) return error.lines;
  const isForOperators =
    error instanceof StartError || error instanceof EmbeddedPostgresError || error instanceof UsageError;
  return isForOperators ? [error.message] : undefined;
}

export function printError(line: string): void {
  process.stderr.write(`${line}\n`);
}
