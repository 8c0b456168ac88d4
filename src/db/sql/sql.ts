import type { Parameter } from './types.ts';

export type Interpolation = Sql | Parameter;

/** A piece of SQL with its parameters. Only the `sql` template makes one, so text from outside never becomes SQL. */
export class Sql {
  readonly strings: readonly string[];
  readonly interpolations: readonly Interpolation[];

  constructor(strings: readonly string[], interpolations: readonly Interpolation[]) {
    this.strings = strings;
    this.interpolations = interpolations;
  }
}

/**
 * SQL text in which `${t.bigint(id)}` becomes a typed parameter and another `sql` its text. Nothing else can be
 * interpolated; identifiers that vary come from a record of `sql` pieces, indexed by a type.
 */
export function sql(strings: TemplateStringsArray, ...interpolations: Interpolation[]): Sql {
  return new Sql(strings, interpolations);
}

const blanks: (readonly string[])[] = [];

/** The pieces one after another, with the separator between them. */
export function join(pieces: readonly Sql[], separator: Sql): Sql {
  const interpolations = pieces.flatMap((piece, index) => (index === 0 ? [piece] : [separator, piece]));
  const { length } = interpolations;
  // One array for each length, as a template has one for each place in the source: its identity stands for its text.
  blanks[length] ??= Array.from({ length: length + 1 }, () => '');
  return new Sql(blanks[length], interpolations);
}

export const empty = sql``;

/** The text with `$1 …`, and the parameters in that order. A parameter that is interpolated twice is sent once. */
export function compile(root: Sql): { text: string; parameters: readonly Parameter[] } {
  const parameters: Parameter[] = [];
  let text = '';
  function append({ strings, interpolations }: Sql): void {
    for (const [index, part] of strings.entries()) {
      text += part;
      const next = interpolations[index];
      if (next instanceof Sql) append(next);
      else if (next !== undefined) text += `$${positionOf(next)}::${next.type}`;
    }
  }
  function positionOf(parameter: Parameter): number {
    const known = parameters.indexOf(parameter);
    return known === -1 ? parameters.push(parameter) : known + 1;
  }
  append(root);
  return { text, parameters };
}
