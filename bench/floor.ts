import { createSecretKey, randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import jwt from 'jsonwebtoken';
import pg from 'pg';
import type { Executor, Transaction } from '../src/db/database.ts';
import { createAssignmentRepository } from '../src/features/assignments/assignment-repository.ts';
import type { Actor } from '../src/features/auth/identity.ts';
import { createPasswords } from '../src/features/auth/passwords.ts';
import { createRefreshTokens } from '../src/features/auth/refresh-tokens.ts';
import { createSignInRepository } from '../src/features/auth/sign-in-repository.ts';
import { createAttemptRepository } from '../src/features/contact/attempt-repository.ts';
import { createCaptchaRepository } from '../src/features/contact/captcha-repository.ts';
import { createContactRepository } from '../src/features/contact/contact-repository.ts';
import type { Submission } from '../src/features/contact/contact-schemas.ts';
import { createImageProcessor } from '../src/features/images/image-processor.ts';
import { createImageRepository } from '../src/features/images/image-repository.ts';
import { imageName, imagePath } from '../src/features/images/image-storage.ts';
import { createProjectListReadModel } from '../src/features/projects/project-list-read-model.ts';
import { createProjectRepository } from '../src/features/projects/project-repository.ts';
import { listProjectsQuery } from '../src/features/projects/project-schemas.ts';
import { createStatisticsReadModel } from '../src/features/statistics/statistics-read-model.ts';
import { createSessionRepository } from '../src/features/study-sessions/session-repository.ts';
import { windowAround } from '../src/lib/clock.ts';

/**
 * The floor: the same statements for the same answers, prepared, from a bare `node:http` server. The token is verified with
 * a key object; there is no framework, no validation, no log, no look at who the caller is, no limit. A path of
 * /fixed/<bytes> is answered with that many, ready.
 */
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10, options: '-c TimeZone=UTC' });
const secret = process.env['JWT_SECRET'] ?? '';
const key = createSecretKey(Buffer.from(secret));

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

type Request = { actor: Actor; url: URL; id: number; content: Buffer; address: string };
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

async function batch({ content }: Request): Promise<string> {
  const { project_ids, assigned_user_ids } = JSON.parse(content.toString()) as {
    project_ids: number[];
    assigned_user_ids: number[];
  };
  const changes = await transaction(async (tx) => {
    const assignments = createAssignmentRepository(tx as Transaction);
    await assignments.lockUsers(assigned_user_ids);
    await assignments.lockProjects(project_ids);
    return assignments.replaceAll(project_ids, assigned_user_ids, assigned_user_ids);
  });
  return envelope(JSON.stringify(changes));
}

const passwords = createPasswords();
const refreshTokens = createRefreshTokens([secret]);

async function login({ content }: Request): Promise<string> {
  const { username, password } = JSON.parse(content.toString()) as { username: string; password: string };
  const { account } = await createSignInRepository(db).findByName(username);
  if (account === undefined || !(await passwords.verify(account.password_hash, password))) throw new Error('wrong');
  const refresh_token = refreshTokens.create();
  const hash = refreshTokens.hash(refresh_token);
  const now = new Date();
  await createSignInRepository(db).insert(
    account,
    hash,
    { now, expires: new Date(now.getTime() + 86_400_000) },
    { address: '', device: '' },
  );
  return envelope(JSON.stringify({ token: jwt.sign({}, key, { subject: String(account.id) }), refresh_token }));
}

async function submit({ content, address }: Request): Promise<string> {
  const request = JSON.parse(content.toString()) as Submission & { captcha_id: string };
  const now = new Date();
  const sender = { email: request.email, address };
  const id = await transaction(async (tx) => {
    if ((await createCaptchaRepository(tx).take(request.captcha_id, now)) === undefined) throw new Error('wrong');
    const attempts = createAttemptRepository(tx);
    await attempts.lock(sender);
    await attempts.findBlocks(sender, windowAround(now, 3_600_000), 5);
    await attempts.insert(sender, true, now);
    return createContactRepository(tx).insert({ ...request, phone: null, ip_address: address, user_agent: '' }, now);
  });
  return `{"success":true,"requestId":${id}}`;
}

const processor = createImageProcessor({ concurrency: 2 });
const incoming = join(process.env['DATA_DIR'] ?? 'data', 'floor');
const pictures = join(process.env['UPLOADS_DIR'] ?? 'uploads', 'floor');
await mkdir(incoming, { recursive: true });
await mkdir(pictures, { recursive: true });

async function upload({ id, content }: Request): Promise<string> {
  const file = join(incoming, randomUUID());
  await writeFile(file, content.subarray(content.indexOf('\r\n\r\n') + 4, content.lastIndexOf('\r\n--')));
  const picture = await processor.process(file, file);
  const name = `${randomUUID()}.jpg`;
  await rename(picture.path, join(pictures, name));
  await rm(file);
  const former = await transaction(async (tx) => {
    const images = createImageRepository(tx);
    const project = await images.lock(id);
    await images.update(id, imagePath(name));
    return project?.image;
  });
  if (former != null) await rm(join(pictures, imageName(former)), { force: true });
  return envelope(JSON.stringify({ image_url: imagePath(name), filename: name }));
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
  'POST project': async ({ actor, content }) => {
    const fields = {
      description: '',
      category: 'other',
      target_hours: 0,
      rating_standard: 'normal',
      ...JSON.parse(content.toString()),
    };
    return envelope((await projects.insertOwn(actor, fields)).json);
  },
  'POST session': async ({ actor, id, content }) => {
    const { started_at, duration_seconds } = JSON.parse(content.toString()) as {
      started_at: string;
      duration_seconds: number;
    };
    const start = new Date(started_at);
    const session = { started_at: start, ended_at: new Date(start.getTime() + duration_seconds * 1000), note: '' };
    return envelope((await sessions.insert(actor, id, session))?.json ?? 'null');
  },
  'POST batch': batch,
  'POST login': login,
  'POST submit': submit,
  'POST image': upload,
};

/** The operation and id of a path of the service. */
function route(method: string, url: URL): { name: string; id: number } {
  const [, , part = '', id = '', rest = ''] = url.pathname.split('/');
  if (part !== 'projects' || id === 'batch-assign') return { name: `${method} ${id.replace('-assign', '')}`, id: 0 };
  if (rest !== '') return { name: `${method} ${rest === 'sessions' ? 'session' : rest}`, id: Number(id) };
  if (id !== '') return { name: `${method} project`, id: Number(id) };
  if (method === 'POST') return { name: 'POST project', id: 0 };
  return { name: url.searchParams.has('remembered') ? 'GET remembered' : 'GET list', id: 0 };
}

const fixed = new Map<number, Buffer>();
function fixedAnswer(bytes: number): Buffer {
  const answer = fixed.get(bytes) ?? Buffer.alloc(bytes, 'x');
  fixed.set(bytes, answer);
  return answer;
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { method = 'GET', url = '/', headers } = request;
    void answer(method, url, headers, Buffer.concat(chunks)).then(
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

async function answer(method: string, path: string, headers: IncomingHttpHeaders, content: Buffer) {
  if (path.startsWith('/fixed/')) return fixedAnswer(Number(path.slice('/fixed/'.length)));
  const claims = jwt.verify(headers.authorization?.slice(7) ?? '', key, { algorithms: ['HS256'] });
  const url = new URL(path, 'http://floor');
  const { name, id } = route(method, url);
  const userId = Number(claims.sub);
  const actor = {
    id: userId,
    role: userId === 21 ? 'admin' : 'user',
    timezone: 'Asia/Shanghai',
    sign_in_id: String((claims as jwt.JwtPayload).jti).slice(0, 36),
  } as Actor; // as far as the statements read it
  const address = String(headers['x-forwarded-for'] ?? '127.0.0.1');
  return (await handlers[name]?.({ actor, url, id, content, address })) ?? 'unknown';
}

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })}\n`);
});
