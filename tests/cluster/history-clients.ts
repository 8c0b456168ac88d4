import { setTimeout as delay } from 'node:timers/promises';
import { createHistory, type Outcome } from '../support/history/history.ts';
import { loadSettings } from '../support/load.ts';
import { ask, signIn } from '../support/service-process.ts';

type Client = { name: string; token: string };
type Project = { id: number; name: string; description: string };

/** Milliseconds between two calls of a client. */
const pace = 500;

/**
 * Clients whose calls, responses and times are recorded. Two write project descriptions, one creates projects, and three
 * per process read details and lists.
 */
export async function startHistoryClients(origin: string, processes: readonly string[]) {
  const admin = { name: 'admin', token: await signIn(origin, 'admin', loadSettings.ADMIN_PASSWORD) };
  const [owner, member] = [await createUser(origin, admin, 'owner'), await createUser(origin, admin, 'member')];
  const history = createHistory();
  let stopping = false;

  const projects: number[] = [];
  for (const name of ['Register 1', 'Register 2', 'Register 3']) {
    const created = await ask(origin, 'POST', '/api/projects', { token: owner.token, body: { name } });
    const id = Number(created.body.data?.['id']);
    history.setInitial(`project ${id}`, '');
    projects.push(id);
  }
  const body = { project_ids: projects, user_ids: [member.id], assign_type: 'add' };
  await ask(origin, 'POST', '/api/projects/batch-assign', { token: admin.token, body });
  history.setInitial('newest of owner', 'Register 3');

  const loop = async (step: (count: number) => Promise<void>) => {
    for (let count = 0; !stopping; count += 1) {
      await step(count);
      await delay(pace);
    }
  };

  /** Not retried: a request that failed may have been written, or may still be. */
  const describe = ({ name, token }: Client) =>
    loop(async (count) => {
      const id = projects[count % projects.length];
      const description = `${name} ${count}`;
      await history.write(`project ${id}`, description, name, async () => {
        const { status } = await ask(origin, 'PUT', `/api/projects/${id}`, { token, body: { description } });
        return outcomeOf(status);
      });
    });

  /** Retried with its idempotency key until there is a response. */
  const create = ({ name, token }: Client) =>
    loop(async (count) => {
      const project = `Series ${count}`;
      const outcome = await history.write('newest of owner', project, name, async () => {
        for (;;) {
          const call = { token, body: { name: project }, key: `series-${count}` };
          const created = await ask(origin, 'POST', '/api/projects', call).catch(() => undefined);
          if (created?.status === 201) return 'done';
          if (created !== undefined && created.status < 500) return 'rejected';
          await delay(pace);
        }
      });
      if (outcome !== 'done') throw new Error(`${project} was rejected`);
    });

  const readDetail = (client: Client, process: string) =>
    loop((count) =>
      history.read(`${client.name} at ${process}`, async () => {
        const { status, body } = await ask(
          process,
          'GET',
          `/api/projects/${projects[count % projects.length]}`,
          client,
        );
        if (status !== 200) return undefined;
        const project = body.data as Project;
        return { [`project ${project.id}`]: project.description };
      }),
    );

  const readList = (client: Client, process: string) =>
    loop(() =>
      history.read(`${client.name}'s list at ${process}`, async () => {
        const { status, body } = await ask(process, 'GET', '/api/projects?search=Register', client);
        if (status !== 200) return undefined;
        const { projects: list } = body.data as { projects: Project[] };
        return Object.fromEntries(list.map(({ id, description }) => [`project ${id}`, description]));
      }),
    );

  const readNewest = (client: Client, process: string) =>
    loop(() =>
      history.read(`${client.name}'s newest at ${process}`, async () => {
        const { status, body } = await ask(process, 'GET', '/api/projects?limit=1&sort=id&order=desc', client);
        if (status !== 200) return undefined;
        const [newest] = (body.data as { projects: Project[] }).projects;
        return newest === undefined ? undefined : { 'newest of owner': newest.name };
      }),
    );

  const ended = Promise.all([
    describe(admin),
    describe(owner),
    create(owner),
    ...processes.flatMap((process) => [readDetail(owner, process), readNewest(owner, process)]),
    ...processes.flatMap((process) => [admin, owner, member].map((client) => readList(client, process))),
  ]);
  ended.catch(() => undefined); // thrown by `stop`

  return {
    history,
    member,
    /** Starts no new calls, waits for those in progress, and reads everything a last time. */
    async stop(): Promise<void> {
      stopping = true;
      await ended;
      for (const process of processes)
        await history.read(`the last read at ${process}`, async () => {
          const { body } = await ask(process, 'GET', '/api/projects?search=Register', owner);
          const { projects: list } = body.data as { projects: Project[] };
          return Object.fromEntries(list.map(({ id, description }) => [`project ${id}`, description]));
        });
    },
  };
}

/** A rejected write has no effect; after any other error the outcome is unknown. */
function outcomeOf(status: number): Outcome {
  if (status === 200) return 'done';
  return status >= 400 && status < 500 ? 'rejected' : 'unknown';
}

async function createUser(origin: string, { token }: Client, username: string) {
  const password = 'a good password';
  const body = { username, email: `${username}@example.org`, password };
  const created = await ask(origin, 'POST', '/api/admin/users', { token, body });
  return { id: Number(created.body.data?.['id']), name: username, token: await signIn(origin, username, password) };
}
