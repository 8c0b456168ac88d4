import { type ParseArgsConfig, parseArgs } from 'node:util';
import { OperatorError } from './operator-error.ts';

/** Damerau–Levenshtein distance (optimal string alignment). */
function editDistance(from: string, to: string): number {
  const table: number[][] = [];
  const at = (i: number, j: number) => table[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 0; i <= from.length; i += 1) {
    const row: number[] = [];
    table.push(row);
    for (let j = 0; j <= to.length; j += 1) {
      const changed = at(i - 1, j - 1) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const isSwap = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swapped = isSwap ? at(i - 2, j - 2) + 1 : changed;
      row.push(i + j === 0 ? 0 : Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, changed, swapped));
    }
  }
  return at(from.length, to.length);
}

/** The closest name within one edit, or two for names of ten letters and more. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const [nearest] = known
    .map((candidate) => ({ candidate, distance: editDistance(name, candidate) }))
    .filter(({ candidate, distance }) => distance <= (candidate.length < 10 ? 1 : 2))
    .sort((one, other) => one.distance - other.distance);
  return nearest?.candidate;
}

type Options = NonNullable<ParseArgsConfig['options']>;
export type Arguments<O extends Options> = ReturnType<typeof parseArgs<{ options: O; allowPositionals: true }>>;

/** A command line that cannot be understood; the message says why. */
export class UsageError extends OperatorError {
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
