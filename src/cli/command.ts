import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { ParseArgsConfig } from 'node:util';
import { loadConfig } from '../boot/load-config.ts';
import { type PreparedDatabase, prepareDatabase } from '../boot/prepare-database.ts';
import { printError, startErrorLines } from '../boot/start-error.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../db/database.ts';
import { createLogger } from '../lib/log/logger.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { type Arguments, parseOptions } from '../lib/parse-options.ts';
import { AppError } from '../texts/errors.ts';
import { translate } from '../texts/index.ts';

/** Runs work on the configured or embedded database, without statement timeouts, because commands read whole tables. */
export async function withDatabase<T>(
  work: (database: Database, config: Config, prepared: PreparedDatabase) => Promise<T>,
  options: { migrate?: boolean } = {},
): Promise<T> {
  const config = loadConfig();
  const prepared = await prepareDatabase(config, createLogger('warn'), {
    ...options,
    timeouts: { statement: 0, idle: 0 },
  });
  try {
    return await work(prepared.database, config, prepared);
  } finally {
    await prepared.close();
  }
}

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
  const lines = startErrorLines(error);
  if (lines !== undefined) return lines;
  return [error instanceof Error ? (error.stack ?? error.message) : String(error)];
}

type Terminal = { input: NodeJS.ReadableStream; output: NodeJS.WritableStream };

export async function askNewPassword({ input, output }: Terminal = { input: process.stdin, output: process.stdout }) {
  const discard = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input, output: discard, terminal: true });
  const lines = terminal[Symbol.asyncIterator]();

  async function ask(question: string): Promise<string> {
    output.write(question);
    const { value, done } = await lines.next();
    output.write('\n');
    if (done === true) throw new OperatorError('Cancelled; nothing was changed.');
    return value;
  }

  try {
    const password = await ask('Password: ');
    if ((await ask('Repeat the password: ')) !== password) throw new OperatorError('The passwords do not match.');
    return password;
  } finally {
    terminal.close();
  }
}
