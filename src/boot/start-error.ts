import { ConfigError } from '../config.ts';
import { EmbeddedPostgresError } from '../db/embedded/index.ts';

/** Why the service cannot start as things are set: lines for the operator, each saying what to change. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** The lines of a configuration error; undefined for a bug, whose stack is wanted. */
export function operatorLines(error: unknown): readonly string[] | undefined {
  if (error instanceof ConfigError) return error.lines;
  if (error instanceof StartError || error instanceof EmbeddedPostgresError) return [error.message];
  return undefined;
}

/** Writes to standard error; standard output belongs to the log and to what a command answers. */
export function printError(line: string): void {
  process.stderr.write(`${line}\n`);
}
