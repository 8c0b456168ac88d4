/** JSON written by PostgreSQL, which is sent without parsing it. */
export class JsonText<Value> {
  declare protected readonly value: Value;
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type WithJsonText<Data> = Data extends object
  ? { [Name in keyof Data]: Data[Name] | JsonText<Data[Name]> }
  : Data;

export function stringify(data: unknown): string {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return JSON.stringify(data);
  const fields = Object.entries(data);
  if (!fields.some(([, value]) => value instanceof JsonText)) return JSON.stringify(data);
  const written = fields.map(
    ([name, value]) => `${JSON.stringify(name)}:${value instanceof JsonText ? value.text : JSON.stringify(value)}`,
  );
  return `{${written.join()}}`;
}
