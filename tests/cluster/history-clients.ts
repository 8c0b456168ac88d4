import { setTimeout as delay } from 'node:timers/promises';
import { createHistory, type Outcome } from '../support/history/history.ts';
import { loadSettings } from '../support/load.ts';
import { ask, signIn } from '../support/service-process.ts';

type Client = { name: string; token: string };
type Project = { id: number; name: string; description: string };

/** Milliseconds between two calls of a client. */
const pace = 500;

/**
 * Clients whose calls are logged, with their answers and times: two write the descriptions of projects, one creates a
 * project after the other, and three read, each of another process: details, and the lists of three users.
 */
export async function startHistoryClients(origin: string, processes: readonly string[]) {
  const admin = { name: 'admin', token: await signIn(origin, 'admin', loadSettings.ADMIN_PASSWORD) };
  const [owner, member] = [await makeUser(origin, admin, 'owner'), await makeUser(origin, admin, 'member')];
  const history = createHistory();
  let stopping = false;

  const projects: number[] = [];
  for (const name of ['Register 1', 'Register 2', 'Register 3']) {
    const made = await ask(origin, 'POST', '/api/projects', { token: owner.token, body: { name } });
    const id = Number(made.body.data?.['id']);
    history.begin(`project ${id}`, '');
    projects.push(id);
  }
  const body = { project_ids: projects, user_ids: [member.id], assign_type: 'add' };
  await ask(origin, 'POST', '/api/projects/batch-assign', { token: admin.token, body });
  history.begin('newest of owner', 'Register 3');

  const lane = async (step: (count: number) => Promise<void>) => {
    for (let count = 0; !stopping; count += 1) {
      await step(count);
      await delay(pace);
    }
  };

  /** Not repeated: what was answered with an error may have been written, or be written later. */
  const describe = ({ name, token }: Client) =>
    lane(async (count) => {
      const id = projects[count % projects.length];
      const description = `${name} ${count}`;
      await history.write(`project ${id}`, description, name, async () => {
        const { status } = await ask(origin, 'PUT', `/api/projects/${id}`, { token, body: { description } });
        return outcomeOf(status);
      });
    });

  /** Repeated with its key until it is answered. */
  const create = ({ name, token }: Client) =>
    lane(async (count) => {
      const project = `Series ${count}`;
      const outcome = await history.write('newest of owner', project, name, async () => {
        for (;;) {
          const call = { token, body: { name: project }, key: `series-${count}` };
          const made = await ask(origin, 'POST', '/api/projects', call).catch(() => undefined);
          if (made?.status === 201) return 'done';
          if (made !== undefined && made.status < 500) return 'refused';
          await delay(pace);
        }
      });
      if (outcome !== 'done') throw new Error(`${project} was refused`);
    });

  const readDetail = (client: Client, process: string) =>
    lane((count) =>
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
    lane(() =>
      history.read(`${client.name}'s list at ${process}`, async () => {
        const { status, body } = await ask(process, 'GET', '/api/projects?search=Register', client);
        if (status !== 200) return undefined;
        const { projects: list } = body.data as { projects: Project[] };
        return Object.fromEntries(list.map(({ id, description }) => [`project ${id}`, description]));
      }),
    );

  const readNewest = (client: Client, process: string) =>
    lane(() =>
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
    /** No new call begins; waits for the answers of those that had begun, and reads everything once more. */
    async stop(): Promise<void> {
      stopping = true;
      await ended;
      for (const process of processes)
        await history.read(`the last look at ${process}`, async () => {
          const { body } = await ask(process, 'GET', '/api/projects?search=Register', owner);
          const { projects: list } = body.data as { projects: Project[] };
          return Object.fromEntries(list.map(({ id, description }) => [`project ${id}`, description]));
        });
    },
  };
}

/** What was refused had no effect; any other error leaves it open. */
function outcomeOf(status: number): Outcome {
  if (status === 200) return 'done';
  return status >= 400 && status < 500 ? 'refused' : 'unknown';
}

async function makeUser(origin: string, { token }: Client, username: string) {
  const password = 'a good password';
  const body = { username, email: `${username}@example.org`, password };
  const made = await ask(origin, 'POST', '/api/admin/users', { token, body });
  return { id: Number(made.body.data?.['id']), name: username, token: await signIn(origin, username, password) };
}
