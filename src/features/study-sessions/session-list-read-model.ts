import { type Database, type Statement, sql, type Value } from '../../db/database.ts';
import { readRows, type TakeRows } from '../../db/row-stream.ts';
import type { Actor } from '../auth/identity.ts';
import { elapsedSeconds, readerOf, sessionJson, shownProjectName } from './session-json.ts';
import type { SessionFilter, SessionPageQuery } from './session-schemas.ts';

/** A finished record as exports hold it: what an import brings back, no more. */
export type ExportRow = {
  project_id: number;
  project_name: string;
  user_id: number;
  started_at: string;
  ended_at: string;
  duration_seconds: number;
  note: string;
  source: string;
  time_zone: string;
  auto_stopped: boolean;
};

/**
 * The records a reader may see, as a UNION of parts that one index each serves: own ones, and those of others on own
 * projects. The parts never share a record.
 */
function visibleSessions(actor: Actor, filter: SessionFilter, bind: (value: Value) => string): string[] {
  const { user_id: userId, project_id: projectId } = filter;
  const narrow = [
    `s.started_at >= ${bind(filter.from ?? '-infinity')} AND s.started_at < ${bind(filter.to ?? 'infinity')}`,
    ...(projectId === undefined ? [] : [`s.project_id = ${bind(projectId)}`]),
    ...(userId === undefined ? [] : [`s.user_id = ${bind(userId)}`]),
  ];
  if (actor.role === 'admin') return [narrow.join(' AND ')];
  const me = bind(actor.id);
  const own = userId === undefined || userId === actor.id ? [`s.user_id = ${me}`] : [];
  const ofOthers = userId === actor.id ? [] : [`s.owner_id = ${me} AND s.owner_id <> s.user_id`];
  return [...own, ...ofOthers].map((scope) => [scope, ...narrow].join(' AND '));
}

function createBinder() {
  const values: Value[] = [];
  const bind = (value: Value) => `$${values.push(value)}`;
  return { values, bind };
}

/**
 * A page of records and how many there are in all. Each part gives up only what could be on the page, in order by its
 * index: left alone, the planner may rather sort all of them.
 */
function pageText(actor: Actor, query: SessionPageQuery, now: Date, overdueSince: Date) {
  const { values, bind } = createBinder();
  const parts = visibleSessions(actor, query, bind);
  const order = `s.started_at ${query.order}, s.id ${query.order}`;
  const offset = (query.page - 1) * query.limit;
  const candidates = parts.map(
    (where) => `(SELECT s.id, s.started_at FROM study_sessions s WHERE ${where}
      ORDER BY ${order} LIMIT ${bind(offset + query.limit)})`,
  );
  const total = parts.map((where) => `(SELECT count(*) FROM study_sessions s WHERE ${where})`).join(' + ');
  const shownName = shownProjectName(`${bind(readerOf(actor))}::bigint`);
  const text = `
    WITH page AS MATERIALIZED (
      SELECT s.id FROM (${candidates.join(' UNION ALL ')}) AS s
      ORDER BY ${order} LIMIT ${bind(query.limit)} OFFSET ${bind(offset)})
    SELECT ${total} AS total, shown.overdue, shown.json
    FROM (
      SELECT coalesce(bool_or(s.ended_at IS NULL AND s.started_at <= ${bind(overdueSince)}), false) AS overdue,
        concat('[', string_agg(${sessionJson(elapsedSeconds(bind(now)), shownName)}, ',' ORDER BY ${order}), ']') AS json
      FROM page JOIN study_sessions s ON s.id = page.id JOIN projects p ON p.id = s.project_id) AS shown`;
  return { text, values };
}

function exportText(actor: Actor, filter: SessionFilter) {
  const { values, bind } = createBinder();
  const parts = visibleSessions(actor, filter, bind);
  const union = parts.map((where) => `SELECT s.* FROM study_sessions s WHERE ${where} AND s.ended_at IS NOT NULL`);
  const projectName = shownProjectName(`${bind(readerOf(actor))}::bigint`);
  return { projectName, from: `(${union.join(' UNION ALL ')}) AS s JOIN projects p ON p.id = s.project_id`, values };
}

export function createSessionListReadModel(database: Database) {
  // A text for each combination of filters; there are a few dozen.
  const statements = new Map<string, Statement>();
  function prepared(text: string): Statement {
    const statement = statements.get(text) ?? sql(text);
    statements.set(text, statement);
    return statement;
  }

  return {
    /** One page as JSON text; `overdue` says that it shows a timer which should have been ended. */
    async read(actor: Actor, query: SessionPageQuery, now: Date, overdueSince: Date) {
      const { text, values } = pageText(actor, query, now, overdueSince);
      const [row] = await database.rows<{ total: number; overdue: boolean; json: string }>(prepared(text), values);
      if (row === undefined) throw new Error('a total always has a row');
      return row;
    },

    /** Hands over the finished records as rows for a CSV file. */
    exportRows(actor: Actor, filter: SessionFilter, take: TakeRows<ExportRow>): Promise<void> {
      const { from, projectName, values } = exportText(actor, filter);
      const columns = `s.project_id, ${projectName} AS project_name, s.user_id, s.started_at, s.ended_at, s.duration_seconds,
        s.note, s.source, s.time_zone, s.auto_stopped`;
      const text = `SELECT ${columns} FROM ${from} ORDER BY s.started_at ${filter.order}, s.id ${filter.order}`;
      return readRows(database, { text, values }, take);
    },

    /** Hands over the finished records, each as JSON text. */
    exportJson(actor: Actor, filter: SessionFilter, take: TakeRows<{ json: string }>): Promise<void> {
      const { from, projectName, values } = exportText(actor, filter);
      const text = `SELECT ${sessionJson(undefined, projectName)} AS json FROM ${from} ORDER BY s.started_at ${filter.order}, s.id ${filter.order}`;
      return readRows(database, { text, values }, take);
    },
  };
}

export type SessionListReadModel = ReturnType<typeof createSessionListReadModel>;
