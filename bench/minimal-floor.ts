import pg from 'pg';
import { type BareRequest, type Handlers, serveBare } from './bare-server.ts';
import { schema, statements } from './minimal-statements.ts';

/** The floor with minimal statements: the smallest ones that do the same work, prepared, served by a bare server. */
const pool = new pg.Pool({
  connectionString: process.env['DATABASE_URL'],
  max: 10,
  options: `-c TimeZone=UTC -c search_path=${schema}`,
});
pg.types.setTypeParser(1184, (text) => `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds(text)}Z`);

function milliseconds(text: string): string {
  return text[19] === '.'
    ? text
        .slice(20, text.length - 3)
        .padEnd(3, '0')
        .slice(0, 3)
    : '000';
}

type Row = Record<string, unknown>;
async function run(name: keyof typeof statements, ...values: unknown[]): Promise<Row[]> {
  return (await pool.query<Row>({ name, text: statements[name], values })).rows;
}
const respond = (data: unknown) => JSON.stringify({ success: true, message: 'OK', data });

/** A cached list is valid until its reader writes; a batch invalidates all of them. */
const cached = new Map<number, Buffer>();

async function list({ userId }: BareRequest): Promise<string> {
  const rows = await run('list', userId);
  const total = Number(rows[0]?.['total'] ?? 0);
  for (const row of rows) delete row['total'];
  return respond({ projects: rows, pagination: { page: 1, limit: 10, total, pages: Math.ceil(total / 10) } });
}

async function readCached(request: BareRequest): Promise<Buffer> {
  const found = cached.get(request.userId) ?? Buffer.from(await list(request));
  cached.set(request.userId, found);
  return found;
}

async function readStatistics({ userId, id }: BareRequest): Promise<string> {
  const [visible, totals] = await Promise.all([run('may_see', userId, id), run('stats', id)]);
  return respond(visible.length === 0 ? null : totals[0]);
}

async function create({ userId, content }: BareRequest): Promise<string> {
  const { name } = JSON.parse(content.toString()) as { name: string };
  const [project] = await run('create', userId, name);
  cached.delete(userId);
  return respond(project);
}

async function record({ userId, id, content }: BareRequest): Promise<string> {
  const input = JSON.parse(content.toString()) as { started_at: string; duration_seconds: number };
  const ended_at = new Date(Date.parse(input.started_at) + input.duration_seconds * 1000).toISOString();
  const [row] = await run('record', userId, id, input.started_at, ended_at);
  if (row === undefined) throw new Error(`user ${userId} does not see project ${id}`);
  cached.delete(userId);
  return respond({ ...row, project_id: id, ...input, ended_at });
}

async function assign({ content }: BareRequest): Promise<string> {
  const input = JSON.parse(content.toString()) as { project_ids: number[]; assigned_user_ids: number[] };
  const [row] = await run('batch', input.project_ids, input.assigned_user_ids);
  cached.clear();
  return respond(row);
}

const handlers: Handlers = {
  'GET list': list,
  'GET cached': readCached,
  'GET project': async ({ userId, id }) => respond((await run('get', userId, id))[0]),
  'GET stats': readStatistics,
  'POST project': create,
  'POST session': record,
  'POST batch': assign,
};
serveBare(process.env['JWT_SECRET'] ?? '', handlers);
