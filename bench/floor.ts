import { createSecretKey, randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import jwt from 'jsonwebtoken';
import pg from 'pg';
import type { Executor, Transaction } from '../src/db/database.ts';
import { createAssignmentRepository } from '../src/features/assignments/assignment-repository.ts';
import type { Actor } from '../src/features/auth/identity.ts';
import { createCaptchaRepository } from '../src/features/captcha/captcha-repository.ts';
import { createAttemptRepository } from '../src/features/contact/attempt-repository.ts';
import type { Submission } from '../src/features/contact/contact-schemas.ts';
import { createSubmissionRepository } from '../src/features/contact/submission-repository.ts';
import { createImageProcessor } from '../src/features/images/image-processor.ts';
import { createImageRepository } from '../src/features/images/image-repository.ts';
import { imageName, imagePath } from '../src/features/images/image-storage.ts';
import { createCredentialsRepository } from '../src/features/passwords/credentials-repository.ts';
import { createPasswordHasher } from '../src/features/passwords/password-hasher.ts';
import { createProjectListReadModel } from '../src/features/projects/list/project-list-read-model.ts';
import { createProjectRepository } from '../src/features/projects/project-repository.ts';
import { toProjectDetailResponse, toProjectResponse } from '../src/features/projects/project-responses.ts';
import { listProjectsQuery } from '../src/features/projects/project-schemas.ts';
import { createRefreshTokens } from '../src/features/sign-ins/refresh-tokens.ts';
import { createSignInRepository } from '../src/features/sign-ins/sign-in-repository.ts';
import { createStatisticsReadModel } from '../src/features/statistics/statistics-read-model.ts';
import { toStatisticsResponse } from '../src/features/statistics/statistics-responses.ts';
import { createSessionRepository } from '../src/features/study-sessions/session-repository.ts';
import { toSessionResponse } from '../src/features/study-sessions/session-responses.ts';
import { paginate } from '../src/http/fields.ts';
import { windowAround } from '../src/lib/clock.ts';
import { type BareRequest, serveBare } from './bare-server.ts';
import { type Client, executorOf } from './client-executor.ts';

/** The floor with the service's own statements: prepared, returning the same responses, served by a bare server. */
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10, options: '-c TimeZone=UTC' });
const secret = process.env['JWT_SECRET'] ?? '';
const key = createSecretKey(Buffer.from(secret));

async function transaction<T>(work: (tx: Executor) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const result = await work(executorOf(client));
    await client.query('COMMIT');
    return result;
  } finally {
    client.release();
  }
}

const db = executorOf(pool as unknown as Client);
const projects = createProjectRepository(db);
const lists = createProjectListReadModel(db);
const sessions = createSessionRepository(db);
const statistics = createStatisticsReadModel(db);

type Request = BareRequest & { actor: Actor };
const envelope = (data: string) => `{"success":true,"message":"OK","data":${data}}`;
let cached: Buffer | undefined;

async function list({ actor, search }: Request): Promise<string> {
  const query = listProjectsQuery.parse(Object.fromEntries(new URLSearchParams(search)));
  const calendar = { zone: 'Asia/Shanghai', now: new Date(), user_id: actor.id };
  const { projects, total } = await lists.read(actor, { ...query, calendar });
  const pagination = paginate(query.page, query.limit, total);
  return envelope(`{"projects":${projects.text},"pagination":${JSON.stringify(pagination)}}`);
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

const hasher = createPasswordHasher();
const refreshTokens = createRefreshTokens([secret]);

async function login({ content }: Request): Promise<string> {
  const { username, password } = JSON.parse(content.toString()) as { username: string; password: string };
  const { account } = await createCredentialsRepository(db).findByName(username);
  if (account === undefined || !(await hasher.verify(account.password_hash, password))) throw new Error('wrong');
  const refresh_token = refreshTokens.create();
  const hash = refreshTokens.hash(refresh_token);
  const now = new Date();
  await createSignInRepository(db).insert(
    account,
    hash,
    { now, expires: new Date(now.getTime() + 86_400_000) },
    { address: '', device: '' },
    'client',
  );
  return envelope(JSON.stringify({ token: jwt.sign({}, key, { subject: String(account.id) }), refresh_token }));
}

async function submit({ content, headers }: Request): Promise<string> {
  const address = String(headers['x-forwarded-for'] ?? '127.0.0.1');
  const request = JSON.parse(content.toString()) as Submission & { captcha_id: string };
  const now = new Date();
  const sender = { email: request.email, address };
  const id = await transaction(async (tx) => {
    if ((await createCaptchaRepository(tx).take(request.captcha_id)) === undefined) throw new Error('wrong');
    const attempts = createAttemptRepository(tx);
    await attempts.lock(sender);
    await attempts.findBlocks(sender, windowAround(now, 3_600_000), { purpose: 'contact', limit: 5 });
    await attempts.insert(sender, 'contact', true, now);
    return createSubmissionRepository(tx).insert({ ...request, phone: null, ip_address: address, user_agent: '' }, now);
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
  // A prepared response, as from a perfect cache.
  'GET cached': async (request) => {
    cached ??= Buffer.from(await list(request));
    return cached;
  },
  'GET project': async ({ actor, id }) => {
    const detail = await projects.findDetail(actor, id);
    return envelope(JSON.stringify(detail && toProjectDetailResponse(detail, 'zh')));
  },
  'GET stats': async ({ actor, id }) => {
    const calendar = { zone: 'Asia/Shanghai', now: new Date(), user_id: actor.id };
    const shown = { zone: calendar.zone, weeks: 12 };
    const found = await statistics.readProject(actor, id, calendar, null);
    return envelope(found?.totals ? JSON.stringify(toStatisticsResponse(found, found.totals, shown)) : 'null');
  },
  'POST project': async ({ actor, content }) => {
    const fields = {
      description: '',
      category: 'other',
      target_hours: 0,
      rating_standard: 'normal',
      ...JSON.parse(content.toString()),
    };
    return envelope(JSON.stringify(toProjectResponse(await projects.insert(actor.id, fields))));
  },
  'POST session': async ({ actor, id, content }) => {
    const { started_at, duration_seconds } = JSON.parse(content.toString()) as {
      started_at: string;
      duration_seconds: number;
    };
    const start = new Date(started_at);
    const session = { started_at: start, ended_at: new Date(start.getTime() + duration_seconds * 1000), note: '' };
    const created = (await sessions.insert(actor, id, session))?.session;
    return envelope(created ? JSON.stringify(toSessionResponse(created)) : 'null');
  },
  'POST batch': batch,
  'POST login': login,
  'POST submit': submit,
  'POST image': upload,
};

/** The fields of the actor that the statements use. */
function actorOf({ userId, signInId }: BareRequest): Actor {
  const role = userId === 21 ? 'admin' : 'user';
  const act = { actor_id: userId, sign_in_id: signInId, role, action: 'floor', request_id: '' };
  return { id: userId, role, timezone: 'Asia/Shanghai', sign_in_id: signInId, act } as Actor;
}

const served = Object.entries(handlers).map(
  ([name, handle]) => [name, (request: BareRequest) => handle({ ...request, actor: actorOf(request) })] as const,
);
serveBare(secret, Object.fromEntries(served));
