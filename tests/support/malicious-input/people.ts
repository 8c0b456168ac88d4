import { contactFields, submit } from '../contact.ts';
import { assign, createProject } from '../records.ts';
import type { TestApp, TestUser } from '../test-app.ts';
import type { Caller } from './draft.ts';
import type { createMemory } from './memory.ts';

type Memory = Awaited<ReturnType<typeof createMemory>>;

/** The callers, and data of every kind that they can request. */
export async function createPeople(app: TestApp, memory: Memory) {
  const callers = new Map<Caller, TestUser>();
  const owner = await app.createUser();

  /** Replaces a caller who has lost access by a new user with a project, a record and an assigned project. */
  async function replace(role: 'user' | 'admin'): Promise<void> {
    const person = await app.createUser({ role });
    callers.set(role, person);
    if (role === 'admin') return;
    const project = await createProject(app, person, `Algebra ${person.id}`);
    const shared = await createProject(app, owner, `Shared with ${person.id}`);
    await assign(app, shared, person);
    const created = await app
      .as(person)
      .post(`/api/projects/${project}/sessions`, { started_at: '2026-03-01T08:00:00Z', duration_seconds: 3600 });
    memory.add('project', shared);
    memory.add('project', project);
    memory.add('project_name', `Algebra ${person.id}`);
    memory.add('session', created.body.data.id);
    memory.add('student', person.id);
  }

  await replace('admin');
  for (let count = 0; count < 4; count += 1) await replace('user');
  for (const username of ['anna', 'boris', 'chen', 'dora']) {
    const account = { username, email: `${username}@example.org`, password: 'a good password' };
    await app.as(callers.get('admin')).post('/api/admin/users', account).expect(201);
    const signIn = await app.anonymous.post('/api/auth/login', account).expect(200);
    memory.add('username', username);
    memory.add('refresh', signIn.body.data.refresh_token);
  }
  for (let count = 0; count < 8; count += 1) {
    memory.add('user', (await app.createUser()).id);
    memory.add('request', (await submit(app, contactFields({}))).body.requestId);
  }
  return { callers, replace };
}
