import { createSecretKey } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import jwt from 'jsonwebtoken';
import pg from 'pg';
import type { Executor, Transaction } from '../src/db/database.ts';
import { createAssignmentRepository } from '../src/features/assignments/assignment-repository.ts';
import type { Actor } from '../src/features/auth/identity.ts';
import { createProjectListReadModel } from '../src/features/projects/project-list-read-model.ts';
import { createProjectRepository } from '../src/features/projects/project-repository.ts';
import { listProjectsQuery } from '../src/features/projects/project-schemas.ts';
import { createStatisticsReadModel } from '../src/features/statistics/statistics-read-model.ts';
import { createSessionRepository } from '../src/features/study-sessions/session-repository.ts';

/**
 * The floor: the same statements for the same answers, prepared, from a bare `node:http` server. The token is verified with
 * a key object; there is no framework, no validation, no log, no look at who the caller is.
 */
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10, options: '-c TimeZone=UTC' });
const key = createSecretKey(Buffer.from(process.env['JWT_SECRET'] ?? ''));

type Client = Pick<pg.PoolClient, 'query'>;
const executor = (client: Client): Executor =>
  ({
    rows: async (statement: { name: string; text: string }, values: unknown[] = []) =>
      (await client.query({ name: statement.name, text: statement.text, values })).rows,
  }) as unknown as Executor; // repositories use nothing else

async function transaction<T>(work: (tx: Executor) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const result = await work(executor(client));
    await client.query('COMMIT');
    return result;
  } finally {
    client.release();
  }
}

const db = executor(pool as unknown as Client);
const projects = createProjectRepository(db);
const lists = createProjectListReadModel(db);
const sessions = createSessionRepository(db);
const statistics = createStatisticsReadModel(db);

type Request = { actor: Actor; url: URL; id: number; body: string };
const envelope = (data: string) => `{"success":true,"message":"OK","data":${data}}`;
let remembered: Buffer | undefined;

async function list({ actor, url }: Request): Promise<string> {
  const query = listProjectsQuery.parse(Object.fromEntries(url.searchParams));
  const { json, total } = await lists.read(actor, query);
  const pages = Math.ceil(total / query.limit);
  return envelope(
    `{"projects":${json},"pagination":{"page":${query.page},"limit":${query.limit},"total":${total},"pages":${pages}}}`,
  );
}

async function batch({ body }: Request): Promise<string> {
  const { project_ids, assigned_user_ids } = JSON.parse(body) as { project_ids: number[]; assigned_user_ids: number[] };
  const changes = await transaction(async (tx) => {
    const assignments = createAssignmentRepository(tx as Transaction);
    await assignments.lockUsers(assigned_user_ids);
    await assignments.lockProjects(project_ids);
    return assignments.replaceAll(project_ids, assigned_user_ids, assigned_user_ids);
  });
  return envelope(JSON.stringify(changes));
}

const handlers: Record<string, (request: Request) => Promise<string | Buffer>> = {
  'GET list': list,
  // The bytes of one answer, ready: what a perfect cache would send.
  'GET remembered': async (request) => {
    remembered ??= Buffer.from(await list(request));
    return remembered;
  },
  'GET project': async ({ actor, id }) =>
    envelope(`${(await projects.findDetail(actor, id))?.json},"achievements":[]}`),
  'GET stats': async ({ actor, id }) => {
    const calendar = { zone: 'Asia/Shanghai', now: new Date(), weeks: 12 };
    return envelope((await statistics.readProject(actor, id, calendar, null))?.json ?? '');
  },
  'POST project': async ({ actor, body }) => {
    const fields = {
      description: '',
      category: 'other',
      target_hours: 0,
      rating_standard: 'normal',
      ...JSON.parse(body),
    };
    return envelope((await projects.insertOwn(actor.id, fields)).json);
  },
  'POST session': async ({ actor, id, body }) => {
    const { started_at, duration_seconds } = JSON.parse(body) as { started_at: string; duration_seconds: number };
    const start = new Date(started_at);
    const session = { started_at: start, ended_at: new Date(start.getTime() + duration_seconds * 1000), note: '' };
    return envelope((await sessions.insert(actor, id, session))?.json ?? 'null');
  },
  'POST batch': batch,
};

/** The operation and id of a path of the service. */
function route(method: string, url: URL): { name: string; id: number } {
  const [, , , id = '', rest = ''] = url.pathname.split('/');
  if (id === 'batch-assign') return { name: 'POST batch', id: 0 };
  if (rest !== '') return { name: `${method} ${rest === 'sessions' ? 'session' : rest}`, id: Number(id) };
  if (id !== '') return { name: `${method} project`, id: Number(id) };
  if (method === 'POST') return { name: 'POST project', id: 0 };
  return { name: url.searchParams.has('remembered') ? 'GET remembered' : 'GET list', id: 0 };
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    void answer(
      request.method ?? 'GET',
      request.url ?? '/',
      request.headers.authorization ?? '',
      Buffer.concat(chunks).toString(),
    ).then(
      (body) => {
        response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
        response.end(body);
      },
      (error: unknown) => {
        response.writeHead(500);
        response.end(String(error));
      },
    );
  });
});

async function answer(method: string, path: string, authorization: string, body: string): Promise<string | Buffer> {
  const claims = jwt.verify(authorization.slice(7), key, { algorithms: ['HS256'] });
  const url = new URL(path, 'http://floor');
  const { name, id } = route(method, url);
  const userId = Number(claims.sub);
  const actor = { id: userId, role: userId === 21 ? 'admin' : 'user', timezone: 'Asia/Shanghai' } as Actor; // as far as the statements read it
  return (await handlers[name]?.({ actor, url, id, body })) ?? 'unknown';
}

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })}\n`);
});
