import { createSecretKey } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import jwt from 'jsonwebtoken';
import pg from 'pg';

/**
 * The minimal floor: `node:http` and the smallest prepared statements that do the same work. It verifies the token, but has
 * no framework, validation, logging, limits or lookup of the user.
 */
const shown = `p.id, p.name, p.description, p.status, p.category, p.target_hours::float8 AS target_hours,
  p.current_hours::float8 AS current_hours, p.progress::float8 AS progress, p.rating_standard, p.image, p.user_id,
  p.created_at, p.updated_at`;
const visible = `p.deleted_at IS NULL AND ($1 BETWEEN 6 AND 21 OR p.user_id = $1 OR EXISTS (
  SELECT FROM project_assignments a WHERE a.project_id = p.id AND a.user_id = $1))`;

/** By the name of the prepared statement. $1 is the caller, except in `stats` and `batch`. */
const statements = {
  list: `
    SELECT (SELECT count(*) FROM visible_projects WHERE user_id = $1)::integer AS total, ${shown}
    FROM (SELECT project_id, created_at FROM visible_projects WHERE user_id = $1
      ORDER BY created_at DESC, project_id DESC LIMIT 10) AS page
    JOIN projects p ON p.id = page.project_id ORDER BY page.created_at DESC, page.project_id DESC`,
  get: `
    SELECT ${shown},
      (SELECT count(*) FROM study_sessions s WHERE s.project_id = p.id)::integer AS sessions_count,
      (SELECT max(s.started_at) FROM study_sessions s WHERE s.project_id = p.id) AS last_session
    FROM projects p WHERE p.id = $2 AND ${visible}`,
  may_see: `SELECT FROM projects p WHERE p.id = $2 AND ${visible}`,
  // In UTC; a record counts on the day it starts on.
  stats: `
    WITH days AS (
      SELECT (started_at AT TIME ZONE 'UTC')::date AS day, count(*) AS number, sum(duration) AS seconds,
        max(duration) AS longest, min(duration) AS shortest
      FROM study_sessions WHERE project_id = $1 GROUP BY 1),
    runs AS (
      SELECT max(day) AS last_day, count(*) AS length
      FROM (SELECT day, day - (row_number() OVER (ORDER BY day))::integer AS chain FROM days) AS link GROUP BY chain),
    weeks AS (
      SELECT to_char(day, 'IYYY-"W"IW') AS week, round(sum(seconds) / 3600.0, 2) AS hours FROM days GROUP BY 1 ORDER BY 1)
    SELECT coalesce(sum(number), 0)::integer AS total_sessions,
      round(coalesce(sum(seconds), 0) / 3600.0, 2)::float8 AS total_hours,
      round(coalesce(sum(seconds) / nullif(sum(number), 0), 0) / 3600.0, 2)::float8 AS average_session_length,
      round(coalesce(max(longest), 0) / 3600.0, 2)::float8 AS longest_session,
      round(coalesce(min(shortest), 0) / 3600.0, 2)::float8 AS shortest_session, count(*)::integer AS study_days,
      coalesce((SELECT length FROM runs WHERE last_day >= (now() AT TIME ZONE 'UTC')::date - 1), 0)::integer
        AS current_streak,
      coalesce((SELECT max(length) FROM runs), 0)::integer AS longest_streak,
      (SELECT coalesce(json_agg(weeks), '[]') FROM weeks) AS weekly_progress
    FROM days`,
  create: `INSERT INTO projects AS p (user_id, name) VALUES ($1, $2) RETURNING ${shown}`,
  record: `
    WITH added AS (
      INSERT INTO study_sessions (project_id, user_id, started_at, ended_at, duration)
      VALUES ($2, $1, $3, $3::timestamptz + $4 * interval '1 second', $4) RETURNING id, ended_at, duration)
    UPDATE projects p SET current_hours = p.current_hours + round(added.duration / 3600.0, 2), updated_at = now(),
      progress = CASE WHEN p.target_hours = 0 THEN 0
        ELSE least(100, (p.current_hours + added.duration / 3600.0) * 100 / p.target_hours) END
    FROM added WHERE p.id = $2 AND ${visible} RETURNING added.id, added.ended_at`,
  lock: 'SELECT FROM projects WHERE id = ANY ($1::integer[]) ORDER BY id FOR UPDATE',
  // Only the difference is written.
  batch: `
    WITH removed AS (
      DELETE FROM project_assignments WHERE project_id = ANY ($1::integer[]) AND user_id <> ALL ($2::integer[])),
    added AS (
      INSERT INTO project_assignments (project_id, user_id)
      SELECT p, u FROM unnest($1::integer[]) AS p CROSS JOIN unnest($2::integer[]) AS u
      ON CONFLICT DO NOTHING RETURNING 1),
    first AS (
      UPDATE projects SET assigned_user_id = ($2::integer[])[1], updated_at = now()
      WHERE id = ANY ($1::integer[]) AND assigned_user_id IS DISTINCT FROM ($2::integer[])[1])
    SELECT count(*)::integer AS assigned_count FROM added`,
} as const;

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 });
pg.types.setTypeParser(
  1184,
  (text) => `${text.slice(0, 10)}T${text.slice(11, 19)}.${/\.(\d+)/.exec(text)?.[1] ?? '000'}Z`,
);
type Row = Record<string, unknown>;
type Client = Pick<pg.PoolClient, 'query'>;
const runOn = async (client: Client, name: keyof typeof statements, ...values: unknown[]): Promise<Row[]> =>
  (await client.query<Row>({ name, text: statements[name], values })).rows;
const run = (name: keyof typeof statements, ...values: unknown[]) => runOn(pool, name, ...values);

async function list(userId: number): Promise<object> {
  const rows = await run('list', userId);
  const total = Number(rows[0]?.['total'] ?? 0);
  for (const row of rows) delete row['total'];
  return { projects: rows, pagination: { page: 1, limit: 10, total, pages: Math.ceil(total / 10) } };
}

async function statistics(userId: number, id: number) {
  const [seen, totals] = await Promise.all([run('may_see', userId, id), run('stats', id)]);
  return seen.length === 0 ? null : totals[0];
}

async function record(userId: number, id: number, body: Row) {
  const [row] = await run('record', userId, id, body['started_at'], body['duration_seconds']);
  if (row === undefined) throw new Error(`user ${userId} does not see project ${id}`);
  return { ...row, ...body, project_id: id };
}

/** Concurrent batches of the same projects would deadlock without the lock, and the second would not see the rows of the first. */
async function replaceAll(projectIds: unknown, userIds: unknown) {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await runOn(client, 'lock', projectIds);
    const [row] = await runOn(client, 'batch', projectIds, userIds);
    await client.query('COMMIT');
    return row;
  } finally {
    client.release();
  }
}

/** A cached list is valid until its reader writes; a batch invalidates all of them. */
const cached = new Map<number, string>();

async function handle(request: IncomingMessage, userId: number, body: Row): Promise<unknown> {
  const [, , , id = '', part = ''] = (request.url ?? '').split('?', 1)[0]?.split('/') ?? [];
  if (request.method === 'GET') {
    if (id === '') return await list(userId);
    return part === 'stats' ? await statistics(userId, Number(id)) : (await run('get', userId, Number(id)))[0];
  }
  if (id === 'batch-assign') {
    cached.clear();
    return await replaceAll(body['project_ids'], body['assigned_user_ids']);
  }
  cached.delete(userId);
  return id === '' ? (await run('create', userId, body['name']))[0] : await record(userId, Number(id), body);
}

const key = createSecretKey(Buffer.from(process.env['JWT_SECRET'] ?? ''));

async function respond(request: IncomingMessage, content: Buffer): Promise<string> {
  const claims = jwt.verify(request.headers.authorization?.slice(7) ?? '', key, { algorithms: ['HS256'] });
  const userId = Number(claims.sub);
  const isCached = request.url?.endsWith('?cached=1') === true;
  const found = isCached ? cached.get(userId) : undefined;
  if (found !== undefined) return found;
  const data = await handle(request, userId, content.length === 0 ? {} : JSON.parse(content.toString()));
  const text = JSON.stringify({ success: true, message: 'OK', data });
  if (isCached) cached.set(userId, text);
  return text;
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    respond(request, Buffer.concat(chunks)).then(
      (text) => {
        response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
        response.end(text);
      },
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo; // it listens on a port
  process.stdout.write(`${JSON.stringify({ origin: `http://127.0.0.1:${port}` })}\n`);
});
