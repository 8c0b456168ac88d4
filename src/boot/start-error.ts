import { ConfigError } from '../config.ts';
import { EmbeddedPostgresError } from '../embedded-postgres/index.ts';

/** A configuration error; the message says what to change. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

export function operatorLines(error: unknown): readonly string[] | undefined {
  if (error instanceof ConfigError) return error.lines;
  if (error instanceof StartError || error instanceof EmbeddedPostgresError) return [error.message];
  return undefined;
}

export function printError(line: string): void {
  process.stderr.write(`${line}\n`);
}
