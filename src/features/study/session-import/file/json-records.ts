import { withGuard } from '../../../../lib/export/exporter.ts';
import { ValidationError } from '../../../../texts/errors.ts';
import { joinTags } from '../../tags/tag-fields.ts';

/** Whether a text is a list, or an object that contains one. */
export const isJson = (start: string): boolean => /^\s*(?:\[\s*[[{\]]|\{\s*")/.test(start);

/**
 * The objects of the first list in a text of JSON, such as an export of this service, as rows with the names of the first object's
 * properties as header. Throws ValidationError for an object that is too long or cannot be read.
 */
export async function* readJsonRows(text: AsyncIterable<string>, maxLength: number): AsyncGenerator<string[]> {
  let names: readonly string[] | undefined;
  for await (const object of objectsOf(text, maxLength)) {
    const fields = parseObject(object);
    if (names === undefined) {
      names = Object.keys(fields);
      yield [...names];
    }
    yield names.map((name) => cellOf(fields[name]));
  }
}

/** As in a CSV file of this service. */
function cellOf(value: unknown): string {
  if (typeof value === 'string') return withGuard(value);
  if (Array.isArray(value)) return withGuard(joinTags(value.filter((one) => typeof one === 'string')));
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

function parseObject(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw ValidationError.of('file', 'import_json');
  }
}

/** Splits a list into the texts of its objects without parsing it as a whole. */
async function* objectsOf(text: AsyncIterable<string>, maxLength: number): AsyncGenerator<string> {
  let isInList = false;
  let depth = 0;
  let object = '';
  let isInText = false;
  let isEscaped = false;
  for await (const piece of text) {
    let start = 0;
    for (let at = 0; at < piece.length; at += 1) {
      const character = piece[at];
      if (isEscaped) isEscaped = false;
      else if (isInText) {
        if (character === '\\') isEscaped = true;
        else if (character === '"') isInText = false;
      } else if (character === '"') isInText = true;
      else if (!isInList) isInList = character === '[';
      else if (character === '{' || character === '[') {
        if (depth === 0) start = at;
        depth += 1;
      } else if (character === '}' || character === ']') {
        if (depth === 0) return;
        depth -= 1;
        if (depth > 0) continue;
        yield object + piece.slice(start, at + 1);
        object = '';
      }
    }
    if (depth > 0) object += piece.slice(start);
    if (object.length > maxLength) throw ValidationError.of('file', 'import_json');
  }
  if (depth > 0 || !isInList) throw ValidationError.of('file', 'import_json');
}
