import { setTimeout as delay } from 'node:timers/promises';
import { multipart } from './multipart.ts';
import { pictures } from './pictures.ts';
import { ask, signIn } from './service-process.ts';

/** Settings under which `startLoad` may work as fast as it can. */
export const loadSettings = {
  ADMIN_PASSWORD: 'correct horse battery',
  RATE_LIMIT_PER_MINUTE: '0',
  CAPTCHA_MODE: 'reveal',
  CONTACT_FLOOD_PER_MINUTE: '0',
};

/** What came of one try at one request; without a status the connection broke before the answer. */
export type Try = { at: number; took: number; write: string; status: number | undefined; wait: number; text: string };

/** A read shows nothing of it: it succeeds before a new primary accepts writes. */
export const isAcknowledgedWrite = ({ write, status }: Try): boolean =>
  write !== 'list' && (status === 200 || status === 201);

type Send = (origin: string) => Promise<Response>;

/** People with projects, made over HTTP, and what they do all at once, whatever happens, until the test has enough. */
export type Load = Awaited<ReturnType<typeof startLoad>>;

// Of one administrator, one student and eight projects each lane that assigns changes the whole lists.
const batchSize = 8;

/**
 * `witnesses` are the processes that must show each write as soon as it is answered; `pace` is the time, in milliseconds,
 * that each of the people takes between two steps.
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
  const students = await Promise.all(['lin', 'wang', 'zhao'].map((name) => makeStudent(origin(), token, name)));
  const [lin, wang, zhao] = students;
  if (lin === undefined || wang === undefined || zhao === undefined) throw new Error('there are three');
  const batch = await Promise.all(
    Array.from({ length: batchSize }, (_, at) => makeProject(origin(), lin.token, `Batch ${at}`)),
  );
  const tries: Try[] = [];
  const acknowledged = { projects: [] as string[], records: [] as string[], lists: [] as number[][], images: 0 };
  const stale: string[] = [];
  const checked = { reads: 0 };
  const stopping = new AbortController();

  /** Repeats a write with its key until it is answered: other than by "try again", and by the service itself. */
  async function insist(write: string, send: Send): Promise<unknown> {
    for (const deadline = Date.now() + 300_000; ; ) {
      const done = await attempt(write, send);
      if (done !== undefined) return done;
      if (Date.now() > deadline) throw new Error(`${write} is not answered in five minutes`);
      await delay(50);
    }
  }

  async function attempt(write: string, send: Send): Promise<unknown> {
    const at = Date.now();
    try {
      const response = await send(origin());
      const text = await response.text();
      const wait = Number(response.headers.get('retry-after'));
      // Of a success only that it was one: the lists of an hour fill the memory.
      const told = response.ok ? '' : text;
      tries.push({ at, took: Date.now() - at, write, status: response.status, wait, text: told });
      return response.ok ? JSON.parse(text) : undefined;
    } catch (error) {
      tries.push({ at, took: Date.now() - at, write, status: undefined, wait: 0, text: String(error) });
      return undefined;
    }
  }

  /** Asks every process for what was just answered; one that cannot answer now shows nothing old. */
  async function see(what: string, where: string, as: string, shows: (data: Shown) => boolean): Promise<void> {
    await Promise.all(
      witnesses().map(async (witness) => {
        const answer = await ask(witness, 'GET', where, { token: as }).catch(() => undefined);
        if (answer?.status !== 200) return;
        checked.reads += 1;
        if (!shows(answer.body.data as Shown)) stale.push(`${what} in ${where} at ${witness}`); // the interface says so
      }),
    );
  }

  async function lane(step: (count: number) => Promise<void>): Promise<void> {
    for (let count = 0; !stopping.signal.aborted; count += 1) {
      await step(count);
      if (pace > 0) await delay(pace);
    }
  }

  const record = (who: Student) => {
    const first = Date.parse('2026-01-01T00:00:00Z');
    return lane(async (count) => {
      const note = `${who.username} ${count}`;
      const body = { started_at: new Date(first + count * 600_000).toISOString(), duration_seconds: 300, note };
      await insist(note, post(`/api/projects/${who.project}/sessions`, who.token, body, note.replace(' ', '-')));
      acknowledged.records.push(note);
      await see(note, `/api/projects/${who.project}`, who.token, (data) => data.sessions_count > count);
    });
  };
  const create = (who: Student) =>
    lane(async (count) => {
      const name = `${who.username} ${count}`;
      await insist(name, post('/api/projects', who.token, { name }, `project-${count}`));
      acknowledged.projects.push(name);
      const shows = ({ projects }: Shown) => projects.some((project) => project.name === name);
      await see(name, '/api/projects?limit=5', who.token, shows);
      await see(name, '/api/projects', token, shows);
    });
  const assign = (name: string, lists: readonly number[][]) =>
    lane(async (count) => {
      const list = lists[count % lists.length] ?? [];
      const body = { project_ids: batch, assigned_user_ids: list };
      await insist(`${name} ${count}`, post('/api/projects/batch-assign', token, body));
      acknowledged.lists.push(list);
    });
  const read = (who: Student) =>
    lane(async () => {
      await attempt('list', get('/api/projects?limit=5', who.token));
      await delay(20);
    });
  const paint = async (who: Student) => {
    const files = await Promise.all(['jpeg', 'png'].map((kind) => pictures[kind]?.() ?? Buffer.alloc(0)));
    await lane(async (count) => {
      await insist(`image ${count}`, upload(who, files[count % 2] ?? Buffer.alloc(0)));
      acknowledged.images += 1;
    });
  };

  const lanes = [
    record(lin),
    record(wang),
    create(zhao),
    assign('left', [[lin.id, wang.id], [zhao.id]]),
    assign('right', [[wang.id], [zhao.id, lin.id], []]),
    read(lin),
    read(zhao),
    ...(images ? [paint(lin), paint(wang)] : []),
  ];
  const ended = Promise.all(lanes);
  ended.catch(() => undefined); // thrown by `stop`

  return {
    token,
    batch,
    students,
    tries,
    acknowledged,
    stale,
    /** How many reads were compared with what was acknowledged before them. */
    checked,
    /** Waits until so many more tries of writes were answered well, which shows that all goes on. */
    async flows(more = 30): Promise<void> {
      const from = tries.length;
      const deadline = Date.now() + 300_000;
      while (tries.slice(from).filter(isAcknowledgedWrite).length < more) {
        if (Date.now() > deadline) throw new Error(`nothing flows: ${JSON.stringify(tries.slice(-5))}`);
        await Promise.race([delay(20), ended]);
      }
    },
    /** No new write begins; waits until all that had begun are answered. */
    async stop(): Promise<void> {
      stopping.abort();
      await ended;
    },
  };
}

type Shown = { sessions_count: number; projects: { name: string }[] };
type Student = { id: number; username: string; token: string; project: number };

async function makeStudent(origin: string, token: string, username: string): Promise<Student> {
  const password = 'a good password';
  const body = { username, email: `${username}@example.org`, password };
  const made = await ask(origin, 'POST', '/api/admin/users', { token, body });
  if (made.status !== 201) throw new Error(`no student was made: ${made.status} ${made.body.message}`);
  const own = await signIn(origin, username, password);
  const project = await makeProject(origin, own, 'Algebra');
  return { id: Number(made.body.data?.['id']), username, token: own, project };
}

async function makeProject(origin: string, token: string, name: string): Promise<number> {
  const made = await ask(origin, 'POST', '/api/projects', { token, body: { name } });
  return Number(made.body.data?.['id']);
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
