import { ConfigError } from '../config/config.ts';
import { OperatorError } from '../lib/operator-error.ts';

export function startErrorLines(error: unknown): readonly string[] | undefined {
  if (error instanceof ConfigError) return error.lines;
  return error instanceof OperatorError ? [error.message] : undefined;
}

export function printError(line: string): void {
  process.stderr.write(`${line}\n`);
}
