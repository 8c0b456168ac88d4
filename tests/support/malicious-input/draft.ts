import type { Described } from './document.ts';
import type { File, Json, Known } from './values.ts';

export type Caller = 'anonymous' | 'user' | 'admin';
export type Value = Json | Known | File;

/** A request before values of earlier responses are filled in. */
export type Draft = {
  operation: Described;
  caller: Caller;
  method: string;
  /** By parameter name. */
  params: Record<string, Value>;
  /** Replaces the path with these parameters. */
  path?: string;
  query: [string, Value][];
  headers: Record<string, string>;
  body?: Value;
  /** Replaces the bytes of the body, or changes them. */
  raw?: string | Buffer | ((bytes: Buffer) => Buffer);
  /** The parts that are invalid. */
  wrong: string[];
};
