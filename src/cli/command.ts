import { type ParseArgsConfig, parseArgs } from 'node:util';
import { operatorLines, printError } from '../boot/start-error.ts';
import { AppError } from '../errors.ts';
import { translate } from '../messages/index.ts';

type Options = NonNullable<ParseArgsConfig['options']>;
type Arguments<O extends Options> = ReturnType<typeof parseArgs<{ options: O; allowPositionals: true }>>;

/**
 * The frame of a command: `--help` prints the usage, unknown options and failures end in a clear line and exit code 1.
 * The exit code is set rather than the process ended, so that open ends are closed first.
 */
export async function runCommand<const O extends Options>(
  usage: string,
  options: O,
  run: (given: Arguments<O>) => Promise<void>,
): Promise<void> {
  try {
    if (process.argv.slice(2).some((word) => word === '--help' || word === '-h')) {
      process.stdout.write(`${usage.trim()}\n`);
      return;
    }
    await run(parseArgs({ options, allowPositionals: true }));
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
  if (!(error instanceof Error)) return [String(error)];
  const misused = 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
  return [misused ? `${error.message} (see --help)` : (error.stack ?? error.message)];
}
