import { setTimeout as delay } from 'node:timers/promises';
import { multipart } from './multipart.ts';
import { pictures } from './pictures.ts';
import { ask, signIn } from './service-process.ts';

/** Settings that do not slow `startLoad` down. */
export const loadSettings = {
  ADMIN_PASSWORD: 'correct horse battery',
  RATE_LIMIT_PER_MINUTE: '0',
  CAPTCHA_MODE: 'reveal',
  CONTACT_FLOOD_PER_MINUTE: '0',
};

/** One attempt at a request; without a status, the connection closed before the response. */
export type Attempt = {
  at: number;
  took: number;
  write: string;
  status: number | undefined;
  wait: number;
  text: string;
};

/** Reads are excluded: they succeed before a new primary accepts writes. */
export const isAcknowledgedWrite = ({ write, status }: Attempt): boolean =>
  write !== 'list' && (status === 200 || status === 201);

type Send = (origin: string) => Promise<Response>;

/** Students who read and write concurrently over HTTP until the test stops them, whatever fails. */
export type Load = Awaited<ReturnType<typeof startLoad>>;

// Each batch assignment replaces the lists of all these projects.
const batchSize = 8;

/**
 * `witnesses` are the processes that must show each write as soon as it is acknowledged; `pace` is the time in milliseconds
 * between two steps of a loop.
 */
export async function startLoad(
  origin: () => string,
  {
    images = false,
    witnesses = () => [origin()],
    pace = 0,
  }: { images?: boolean; witnesses?: () => readonly string[]; pace?: number } = {},
) {
  const token = await signIn(origin(), 'admin', loadSettings.ADMIN_PASSWORD);
  const students = await Promise.all(['lin', 'wang', 'zhao'].map((name) => createStudent(origin(), token, name)));
  const [lin, wang, zhao] = students;
  if (lin === undefined || wang === undefined || zhao === undefined) throw new Error('there are three');
  const batch = await Promise.all(
    Array.from({ length: batchSize }, (_, index) => createProject(origin(), lin.token, `Batch ${index}`)),
  );
  const attempts: Attempt[] = [];
  const acknowledged = { projects: [] as string[], records: [] as string[], lists: [] as number[][], images: 0 };
  const stale: string[] = [];
  const checked = { reads: 0 };
  const stopping = new AbortController();

  /** Retries a write with its idempotency key until it is acknowledged. */
  async function retry(write: string, send: Send): Promise<unknown> {
    for (const deadline = Date.now() + 300_000; ; ) {
      const done = await attempt(write, send);
      if (done !== undefined) return done;
      if (Date.now() > deadline) throw new Error(`${write} was not acknowledged within five minutes`);
      await delay(50);
    }
  }

  async function attempt(write: string, send: Send): Promise<unknown> {
    const at = Date.now();
    try {
      const response = await send(origin());
      const text = await response.text();
      const wait = Number(response.headers.get('retry-after'));
      // Bodies of successful responses are not stored: those of an hour would fill the memory.
      const error = response.ok ? '' : text;
      attempts.push({ at, took: Date.now() - at, write, status: response.status, wait, text: error });
      return response.ok ? JSON.parse(text) : undefined;
    } catch (error) {
      attempts.push({ at, took: Date.now() - at, write, status: undefined, wait: 0, text: String(error) });
      return undefined;
    }
  }

  /** Checks that every process shows a write that was just acknowledged; failed reads are ignored. */
  async function verifyShown(what: string, where: string, as: string, shows: (data: Shown) => boolean): Promise<void> {
    await Promise.all(
      witnesses().map(async (witness) => {
        const response = await ask(witness, 'GET', where, { token: as }).catch(() => undefined);
        if (response?.status !== 200) return;
        checked.reads += 1;
        if (!shows(response.body.data as Shown)) stale.push(`${what} in ${where} at ${witness}`); // as the API documents
      }),
    );
  }

  async function loop(step: (count: number) => Promise<void>): Promise<void> {
    for (let count = 0; !stopping.signal.aborted; count += 1) {
      await step(count);
      if (pace > 0) await delay(pace);
    }
  }

  const record = (who: Student) => {
    const first = Date.parse('2026-01-01T00:00:00Z');
    return loop(async (count) => {
      const note = `${who.username} ${count}`;
      const body = { started_at: new Date(first + count * 600_000).toISOString(), duration_seconds: 300, note };
      await retry(note, post(`/api/projects/${who.project}/sessions`, who.token, body, note.replace(' ', '-')));
      acknowledged.records.push(note);
      await verifyShown(note, `/api/projects/${who.project}`, who.token, (data) => data.sessions_count > count);
    });
  };
  const create = (who: Student) =>
    loop(async (count) => {
      const name = `${who.username} ${count}`;
      await retry(name, post('/api/projects', who.token, { name }, `project-${count}`));
      acknowledged.projects.push(name);
      const shows = ({ projects }: Shown) => projects.some((project) => project.name === name);
      await verifyShown(name, '/api/projects?limit=5', who.token, shows);
      await verifyShown(name, '/api/projects', token, shows);
    });
  const assign = (name: string, lists: readonly number[][]) =>
    loop(async (count) => {
      const list = lists[count % lists.length] ?? [];
      const body = { project_ids: batch, assigned_user_ids: list };
      await retry(`${name} ${count}`, post('/api/projects/batch-assign', token, body));
      acknowledged.lists.push(list);
    });
  const read = (who: Student) =>
    loop(async () => {
      await attempt('list', get('/api/projects?limit=5', who.token));
      await delay(20);
    });
  const paint = async (who: Student) => {
    const files = await Promise.all(['jpeg', 'png'].map((kind) => pictures[kind]?.() ?? Buffer.alloc(0)));
    await loop(async (count) => {
      await retry(`image ${count}`, upload(who, files[count % 2] ?? Buffer.alloc(0)));
      acknowledged.images += 1;
    });
  };

  const loops = [
    record(lin),
    record(wang),
    create(zhao),
    assign('left', [[lin.id, wang.id], [zhao.id]]),
    assign('right', [[wang.id], [zhao.id, lin.id], []]),
    read(lin),
    read(zhao),
    ...(images ? [paint(lin), paint(wang)] : []),
  ];
  const ended = Promise.all(loops);
  ended.catch(() => undefined); // thrown by `stop`

  return {
    token,
    batch,
    students,
    attempts,
    acknowledged,
    stale,
    /** The number of reads that were compared with earlier acknowledged writes. */
    checked,
    /** Waits until `more` further writes are acknowledged. */
    async untilAcknowledged(more = 30): Promise<void> {
      const from = attempts.length;
      const deadline = Date.now() + 300_000;
      while (attempts.slice(from).filter(isAcknowledgedWrite).length < more) {
        if (Date.now() > deadline) throw new Error(`no writes are acknowledged: ${JSON.stringify(attempts.slice(-5))}`);
        await Promise.race([delay(20), ended]);
      }
    },
    /** Starts no new writes and waits for those in progress. */
    async stop(): Promise<void> {
      stopping.abort();
      await ended;
    },
  };
}

type Shown = { sessions_count: number; projects: { name: string }[] };
type Student = { id: number; username: string; token: string; project: number };

async function createStudent(origin: string, token: string, username: string): Promise<Student> {
  const password = 'a good password';
  const body = { username, email: `${username}@example.org`, password };
  const created = await ask(origin, 'POST', '/api/admin/users', { token, body });
  if (created.status !== 201) throw new Error(`no student was created: ${created.status} ${created.body.message}`);
  const own = await signIn(origin, username, password);
  const project = await createProject(origin, own, 'Algebra');
  return { id: Number(created.body.data?.['id']), username, token: own, project };
}

async function createProject(origin: string, token: string, name: string): Promise<number> {
  const created = await ask(origin, 'POST', '/api/projects', { token, body: { name } });
  return Number(created.body.data?.['id']);
}

function get(where: string, token: string): Send {
  return (origin) =>
    fetch(origin + where, { headers: { Authorization: `Bearer ${token}` }, signal: AbortSignal.timeout(60_000) });
}

function post(where: string, token: string, body: object, key?: string): Send {
  const headers = {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    ...(key !== undefined && { 'Idempotency-Key': key }),
  };
  return (origin) =>
    fetch(origin + where, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(60_000),
    });
}

function upload({ project, token }: Student, data: Buffer): Send {
  const { type, body } = multipart({ name: 'image', filename: 'a.png', data });
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': type };
  return (origin) =>
    fetch(`${origin}/api/projects/${project}/image`, {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
      signal: AbortSignal.timeout(60_000),
    });
}
