import type { Sql } from '../db/sql/sql.ts';
import type { RecordedEvent } from './event.ts';

/** The rows of another projection for the same events, which are computed once. */
export type RowsOf = <Row>(projection: Projection<Row>) => readonly Row[];

/** What follows from events, such as entries of the audit log. It is written by the transaction that recorded them. */
export type Projection<Row> = {
  rows(events: readonly RecordedEvent[], rowsOf: RowsOf): readonly Row[];
  /** SQL: the common table expressions that insert the rows, of which there is at least one. */
  insert(rows: readonly Row[]): Sql;
};

// biome-ignore lint/suspicious/noExplicitAny: each projection has rows of its own, which only the projection itself reads
export type AnyProjection = Projection<any>;
