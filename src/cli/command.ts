import type { ParseArgsConfig } from 'node:util';
import { operatorLines, printError } from '../boot/start-error.ts';
import { AppError } from '../errors.ts';
import { type Arguments, parseOptions } from '../lib/parse-options.ts';
import { translate } from '../messages/index.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

export type Command = { usage: string; run(args: string[]): Promise<void> };

export function defineCommand<const O extends Options>(
  usage: string,
  options: O,
  run: (args: Arguments<O>) => Promise<void>,
): Command {
  return { usage: `${usage.trim()}\n`, run: (args) => run(parseOptions(args, options)) };
}

/** Sets the exit code instead of exiting, so that connections are closed first. */
export async function runCommand(command: Command, args: string[]): Promise<void> {
  try {
    if (args.some((arg) => arg === '--help' || arg === '-h')) process.stdout.write(command.usage);
    else await command.run(args);
  } catch (error) {
    for (const line of failureLines(error)) printError(line);
    process.exitCode = 1;
  }
}

function failureLines(error: unknown): readonly string[] {
  if (error instanceof AppError) {
    const details = error.details.map(({ field, message }) => `${field}: ${translate(message, 'en')}`);
    return details.length > 0 ? details : [translate(error.text, 'en')];
  }
  const lines = operatorLines(error);
  if (lines !== undefined) return lines;
  return [error instanceof Error ? (error.stack ?? error.message) : String(error)];
}
