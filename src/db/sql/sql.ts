import type { Parameter } from './types.ts';

export type Interpolation = Sql | Parameter;

/** SQL text with its parameters, created by the `sql` template only, so that input never becomes SQL. */
export class Sql {
  readonly strings: readonly string[];
  readonly interpolations: readonly Interpolation[];

  constructor(strings: readonly string[], interpolations: readonly Interpolation[]) {
    this.strings = strings;
    this.interpolations = interpolations;
  }
}

/** `${t.bigint(id)}` becomes a typed parameter, another `sql` its text. Nothing else can be interpolated. */
export function sql(strings: TemplateStringsArray, ...interpolations: Interpolation[]): Sql {
  return new Sql(strings, interpolations);
}

const emptyStrings: (readonly string[])[] = [];

export function join(pieces: readonly Sql[], separator: Sql): Sql {
  const interpolations = pieces.flatMap((piece, index) => (index === 0 ? [piece] : [separator, piece]));
  const { length } = interpolations;
  // One array per length: statements are cached by the identity of these arrays, as of those of templates.
  emptyStrings[length] ??= Array.from({ length: length + 1 }, () => '');
  return new Sql(emptyStrings[length], interpolations);
}

export const empty = sql``;

/** A parameter that is interpolated twice is sent once. */
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

/** A fragment without parameters, compiled once: composing a statement per request then takes one part, not one per column. */
export function constant(fragment: Sql): Sql {
  const { text, parameters } = compile(fragment);
  if (parameters.length > 0) throw new Error('a constant SQL fragment has no parameters');
  return new Sql([text], []);
}
