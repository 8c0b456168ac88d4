/** JSON that PostgreSQL has written of a value of this type: sent as it is, and never parsed. */
export class JsonText<Value> {
  declare protected readonly value: Value;
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** An object, or one in which some fields are JSON text already. */
export type WithJsonText<Data> = Data extends object
  ? { [Name in keyof Data]: Data[Name] | JsonText<Data[Name]> }
  : Data;

/** `JSON.stringify` of data whose own fields may be JSON text. */
export function stringify(data: unknown): string {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return JSON.stringify(data);
  const fields = Object.entries(data);
  if (!fields.some(([, value]) => value instanceof JsonText)) return JSON.stringify(data);
  const written = fields.map(
    ([name, value]) => `${JSON.stringify(name)}:${value instanceof JsonText ? value.text : JSON.stringify(value)}`,
  );
  return `{${written.join()}}`;
}
