import type { WriteContext } from '../actor.ts';
import type { Sql } from '../db/sql/sql.ts';
import type { DomainEvent } from '../events.ts';

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

/** `by`: whose request it was; undefined for jobs, commands and callers that are not signed in. */
export type RecordedEvent = DomainEvent & { readonly by?: WriteContext | undefined };
