import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

let app: TestApp;
let admin: TestUser;
let users: TestUser[];
const missing = 999_999_999;

beforeAll(async () => {
  app = await startTestApp();
  admin = await app.createUser({ role: 'admin' });
  users = await Promise.all(Array.from({ length: 4 }, () => app.createUser()));
  users.push(await app.createUser({ status: 'inactive' }));
});
afterAll(() => app.stop());

type Type = 'add' | 'remove' | 'replace';
type Operation = { projects: number[]; users: number[]; type: Type | 'whole' | 'put' };
type Status = 'assigned' | 'already_assigned' | 'removed' | 'not_assigned';

/** Assignments as lists of user ids by project. */
class Model {
  readonly lists = new Map<number, number[]>();
  readonly usable: ReadonlySet<number>;
  readonly known: ReadonlySet<number>;

  constructor(projects: readonly number[], usable: readonly number[], known: readonly number[]) {
    for (const id of projects) this.lists.set(id, []);
    this.usable = new Set(usable);
    this.known = new Set(known);
  }

  /** Applies a request with `assign_type` and returns the expected result for each project and user. */
  apply(type: Type, projects: readonly number[], userIds: readonly number[]) {
    const fails = (id: number) => (type === 'remove' ? !this.known.has(id) : !this.usable.has(id));
    const valid = userIds.filter((id) => !fails(id));
    const details = projects.flatMap((project) => {
      const before = this.lists.get(project);
      if (before === undefined) return [];
      const remaining = {
        add: before,
        remove: before.filter((id) => !valid.includes(id)),
        replace: userIds.filter((id) => valid.includes(id) || before.includes(id)),
      }[type];
      const after = type === 'add' ? [...remaining, ...valid.filter((id) => !before.includes(id))] : remaining;
      this.lists.set(project, after);
      const statuses = new Map<number, Status>();
      for (const id of valid) {
        if (type === 'remove') statuses.set(id, before.includes(id) ? 'removed' : 'not_assigned');
        else statuses.set(id, before.includes(id) ? 'already_assigned' : 'assigned');
      }
      if (type === 'replace') for (const id of before) if (!userIds.includes(id)) statuses.set(id, 'removed');
      return [{ project, statuses }];
    });
    const lost = projects.filter((id) => !this.lists.has(id)).length;
    const failed =
      userIds.length === 0 ? lost : lost * userIds.length + details.length * (userIds.length - valid.length);
    return { details, assigned: details.length * valid.length, failed };
  }
}

const unique = (ids: readonly number[]) => [...new Set(ids)];

test('any sequence of operations results in the lists, counts and statuses of the model', async () => {
  const index = fc.nat({ max: 4 });
  const operation = fc.record({
    projects: fc.array(index, { minLength: 1, maxLength: 4 }),
    users: fc.array(fc.nat({ max: 6 }), { maxLength: 6 }),
    type: fc.constantFrom<Operation['type']>('add', 'remove', 'replace', 'whole', 'put'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 10 }), async (operations) => {
      const created: number[] = [];
      for (let count = 0; count < 4; count += 1) {
        const { data } = (await app.as(users[0]).post('/api/projects', { name: 'Model' }).expect(201)).body;
        created.push(data.id);
      }
      const people = users.map((user) => user.id);
      const model = new Model(created, people.slice(0, 4), people);
      for (const { type, ...given } of operations) {
        const projects = unique(given.projects.map((at) => created[at] ?? missing));
        const userIds = unique(given.users.map((at) => people[at] ?? (at === 5 ? admin.id : missing)));
        await step(model, type, projects, userIds);
        for (const [id, list] of model.lists) {
          const { data } = (await app.as(admin).get(`/api/projects/${id}`).expect(200)).body;
          expect([data.assigned_user_id, data.assigned_user_ids]).toEqual([list[0] ?? null, list]);
        }
      }
    }),
    { numRuns: 25 },
  );
});

async function step(model: Model, type: Operation['type'], projects: number[], userIds: number[]): Promise<void> {
  const usable = userIds.every((id) => model.usable.has(id));
  if (type === 'whole') {
    const response = await app
      .as(admin)
      .post('/api/projects/batch-assign', { project_ids: projects, assigned_user_ids: userIds });
    const exist = projects.every((id) => model.lists.has(id));
    expect(response.status).toBe(!exist ? 404 : usable ? 200 : 400);
    if (response.status === 200) model.apply('replace', projects, userIds);
    return;
  }
  if (type === 'put') {
    const [id = missing] = projects;
    const response = await app.as(admin).put(`/api/projects/${id}`, { assigned_user_ids: userIds });
    const isValid = userIds.every((user) => model.usable.has(user) || model.lists.get(id)?.includes(user));
    expect(response.status).toBe(!model.lists.has(id) ? 404 : isValid ? 200 : 400);
    if (response.status === 200) model.lists.set(id, userIds);
    return;
  }
  const response = await app
    .as(admin)
    .post('/api/projects/batch-assign', { project_ids: projects, user_ids: userIds, assign_type: type });
  if (userIds.length === 0 && type !== 'replace') {
    expect(response.status).toBe(400);
    return;
  }
  const expected = model.apply(type, projects, userIds);
  const { details, assigned_count, failed_count } = response.body.data;
  expect([assigned_count, failed_count]).toEqual([expected.assigned, expected.failed]);
  expect(details.map((detail: { project_id: number }) => detail.project_id)).toEqual(
    expected.details.map((detail) => detail.project),
  );
  for (const [at, detail] of details.entries()) {
    const actual = new Map(
      detail.assigned_users.map((user: { user_id: number; status: Status }) => [user.user_id, user.status]),
    );
    expect(actual).toEqual(expected.details[at]?.statuses);
  }
}
