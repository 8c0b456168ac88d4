import type { AddressInfo } from 'node:net';
import express, { type Request, type Response } from 'express';
import jwt from 'jsonwebtoken';
import knex, { type Knex } from 'knex';

/**
 * The textbook server: what a good engineer writes first with Express and Knex. It reads the user, checks permissions and
 * uses transactions, but has no limits, history, cache, audit or idempotency.
 */
type Project = { id: number; target_hours: string; current_hours: string; [column: string]: unknown };
type Session = { project_id: number; started_at: Date; ended_at: Date; duration: number };

const db = knex({ client: 'pg', connection: process.env['DATABASE_URL'] ?? '', pool: { min: 0, max: 10 } });
const app = express();
app.use(express.json());
app.use(async (request, response, next) => {
  const claims = jwt.verify(request.headers.authorization?.slice(7) ?? '', process.env['JWT_SECRET'] ?? '');
  const user = await db('bench.users')
    .where({ id: Number(claims.sub), status: 'active' })
    .first('id', 'role');
  if (user === undefined) return void response.status(401).json({ success: false, message: 'Not signed in' });
  response.locals = user;
  next();
});

function visible(response: Response, from: Knex = db): Knex.QueryBuilder<Project> {
  const { id, role } = response.locals;
  const projects = from<Project>('bench.projects').whereNull('deleted_at');
  if (role === 'admin') return projects;
  const assigned = db('bench.project_assignments').select('project_id').where({ user_id: id });
  return projects.where((either) => either.where({ user_id: id }).orWhereIn('id', assigned));
}

const send = (response: Response, data: unknown) => void response.json({ success: true, message: 'OK', data });
const notFound = (response: Response) => void response.status(404).json({ success: false, message: 'No such project' });
const present = ({ target_hours, current_hours, ...project }: Project) => ({
  ...project,
  target_hours: Number(target_hours),
  current_hours: Number(current_hours),
});
const findVisible = async (request: Request, response: Response, from?: Knex) =>
  visible(response, from)
    .where({ id: Number(request.params['id']) })
    .first();
const isoDay = (date: Date) => date.toISOString().slice(0, 10);

app.get('/api/projects', async (request, response) => {
  const [page, limit] = [Number(request.query['page'] ?? 1), Number(request.query['limit'] ?? 10)];
  const [count] = await visible(response).count('* as total');
  const projects = await visible(response)
    .orderByRaw('created_at DESC, id DESC')
    .limit(limit)
    .offset((page - 1) * limit);
  send(response, { projects: projects.map(present), pagination: { page, limit, total: Number(count.total) } });
});

app.get('/api/projects/:id', async (request, response) => {
  const project = await findVisible(request, response);
  if (project === undefined) return notFound(response);
  const [totals] = await db('bench.study_sessions')
    .where({ project_id: project.id })
    .count('* as number')
    .max('ended_at as last');
  send(response, { ...present(project), sessions_count: Number(totals?.['number']), last_session: totals?.['last'] });
});

app.get('/api/projects/:id/stats', async (request, response) => {
  const project = await findVisible(request, response);
  if (project === undefined) return notFound(response);
  const sessions = await db<Session>('bench.study_sessions').where({ project_id: project.id }).orderBy('started_at');
  const days = [...new Set(sessions.map(({ started_at }) => isoDay(started_at)))];
  let [longest, run] = [0, 0];
  days.forEach((day, index) => {
    run = days[index - 1] === isoDay(new Date(Date.parse(day) - 86_400_000)) ? run + 1 : 1;
    longest = Math.max(longest, run);
  });
  const seconds = sessions.map(({ duration }) => duration);
  const total_hours = seconds.reduce((sum, value) => sum + value, 0) / 3600;
  const [longest_session, shortest_session] = [Math.max(...seconds) / 3600, Math.min(...seconds) / 3600];
  const counts = { total_sessions: sessions.length, study_days: days.length, longest_streak: longest };
  send(response, { ...counts, total_hours, longest_session, shortest_session });
});

app.post('/api/projects', async (request, response) => {
  const [project] = await db('bench.projects')
    .insert({ name: request.body.name, user_id: response.locals['id'] })
    .returning('*');
  send(response, present(project));
});

app.post('/api/projects/batch-assign', async (request, response) => {
  const { project_ids, assigned_user_ids } = request.body as Record<'project_ids' | 'assigned_user_ids', number[]>;
  const pairs = project_ids.flatMap((project_id) => assigned_user_ids.map((user_id) => ({ project_id, user_id })));
  await db.transaction(async (tx) => {
    await tx('bench.projects').whereIn('id', project_ids).orderBy('id').forUpdate().select('id'); // against deadlocks
    await tx('bench.project_assignments').whereIn('project_id', project_ids).delete();
    await tx.batchInsert('bench.project_assignments', pairs, 500);
    await tx('bench.projects').whereIn('id', project_ids).update({ assigned_user_id: assigned_user_ids[0] });
  });
  send(response, { assigned_count: pairs.length });
});

app.post('/api/projects/:id/sessions', async (request, response) => {
  const { started_at, duration_seconds: duration } = request.body as { started_at: string; duration_seconds: number };
  const ended_at = new Date(Date.parse(started_at) + duration * 1000);
  const session = await db.transaction(async (tx) => {
    const project = await findVisible(request, response, tx);
    if (project === undefined) return undefined;
    const row = { project_id: project.id, user_id: response.locals['id'], started_at, ended_at, duration };
    const [inserted] = await tx('bench.study_sessions').insert(row).returning('*');
    await tx('bench.projects')
      .where({ id: project.id })
      .increment('current_hours', duration / 3600);
    return inserted;
  });
  if (session === undefined) return notFound(response);
  send(response, session);
});

const server = app.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo; // it listens on a port
  process.stdout.write(`${JSON.stringify({ origin: `http://127.0.0.1:${port}` })}\n`);
});
