import type { Described } from './document.ts';
import type { File, Json, Known } from './values.ts';

export type Caller = 'anonymous' | 'user' | 'admin';
export type Value = Json | Known | File;

/** A request before it is written out: what is known of earlier answers is put in then. */
export type Draft = {
  operation: Described;
  caller: Caller;
  method: string;
  /** By the name of the parameter. */
  params: Record<string, Value>;
  /** In place of the path made of them. */
  path?: string;
  query: [string, Value][];
  headers: Record<string, string>;
  body?: Value;
  /** In place of the body's bytes, or what is done to them. */
  raw?: string | Buffer | ((bytes: Buffer) => Buffer);
  /** What was made wrong. */
  wrong: string[];
};
