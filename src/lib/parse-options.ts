import { type ParseArgsConfig, parseArgs } from 'node:util';
import { nearestName } from './edit-distance.ts';

type Options = NonNullable<ParseArgsConfig['options']>;
export type Arguments<O extends Options> = ReturnType<typeof parseArgs<{ options: O; allowPositionals: true }>>;

/** A command line that cannot be understood; the message says why. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Throws UsageError, which names the nearest option for an unknown one. */
export function parseOptions<const O extends Options>(args: string[], options: O): Arguments<O> {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const isUnknown = 'code' in error && error.code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION';
    const [, name] = /'(--?[^'=\s]+)/.exec(error.message) ?? [];
    const known = [...Object.keys(options), 'help'].map((option) => `--${option}`);
    const nearest = isUnknown && name !== undefined ? nearestName(name, known) : undefined;
    const hint = nearest === undefined ? 'see --help' : `did you mean ${nearest}?`;
    throw new UsageError(isUnknown ? `Unknown option ${name}; ${hint}` : `${error.message} (see --help)`);
  }
}
