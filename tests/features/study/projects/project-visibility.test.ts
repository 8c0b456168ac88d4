import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Reader } from '../../../../src/actor.ts';
import { sql, t } from '../../../../src/db/sql/sql.ts';
import { query } from '../../../../src/db/sql/statement.ts';
import {
  assignedProjects,
  isAssigned,
  isAssignedNow,
  manageableBy,
  ownProjects,
  visibleTo,
} from '../../../../src/features/study/project-access/project-sql.ts';
import { startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

const decide = query(
  'test_decide_access',
  {
    user_id: t.bigint,
    assigned: t.boolean,
    manageable: t.boolean,
    visible: t.boolean,
    visible_now: t.boolean,
    selected: t.bigint,
  },
  (reader: Reader, projectId: number) => sql`
    SELECT p.user_id, ${isAssigned(t.bigint(reader.id))} AS assigned, ${manageableBy(reader)} AS manageable,
      ${visibleTo(reader)} AS visible, ${visibleTo(reader, isAssignedNow)} AS visible_now,
      (SELECT count(*) FROM (${ownProjects(t.bigint(reader.id))} UNION ALL ${assignedProjects(t.bigint(reader.id))}) AS v
       WHERE v.id = p.id) AS selected
    FROM projects p WHERE p.id = ${t.bigint(projectId)}`,
);

let app: TestApp;
let people: { owner: TestUser; member: TestUser; outsider: TestUser; admin: TestUser };
let projects: Record<'unassigned' | 'assigned' | 'assigned to its owner' | 'of an administrator', number>;

beforeAll(async () => {
  app = await startTestApp();
  const [owner, member, outsider] = [await app.createUser(), await app.createUser(), await app.createUser()];
  people = { owner, member, outsider, admin: await app.createUser({ role: 'admin' }) };
  const create = async (by: TestUser, assigned: readonly TestUser[]) => {
    const body = { name: 'Project', ...(by.role === 'admin' && { assigned_user_ids: [outsider.id] }) };
    const { id } = (await app.as(by).post('/api/projects', body).expect(201)).body.data;
    const assigned_user_ids = assigned.map((user) => user.id);
    await app.as(people.admin).put(`/api/projects/${id}`, { assigned_user_ids }).expect(200);
    return id as number;
  };
  projects = {
    unassigned: await create(owner, []),
    assigned: await create(owner, [member]),
    'assigned to its owner': await create(owner, [owner, member]),
    'of an administrator': await create(people.admin, [member]),
  };
});
afterAll(() => app.stop());

const cases = (['owner', 'member', 'outsider', 'admin'] as const).flatMap((person) =>
  (['unassigned', 'assigned', 'assigned to its owner', 'of an administrator'] as const).map(
    (project) => [person, project] as const,
  ),
);

test.each(cases)('all statements agree on %s and a project %s', async (person, project) => {
  const reader = people[person];
  const { user_id, assigned, selected, ...decided } = await app.database.one(decide(reader, projects[project]));
  const isOwner = user_id === reader.id;
  const visible = reader.role === 'admin' || isOwner || assigned;
  expect(decided).toEqual({ manageable: reader.role === 'admin' || isOwner, visible, visible_now: visible });
  expect(selected).toBe(isOwner || assigned ? 1 : 0);
});

test('a deleted project is not selected', async () => {
  const id = projects.assigned;
  await app.as(people.owner).delete(`/api/projects/${id}`).expect(200);
  for (const reader of [people.owner, people.member])
    expect((await app.database.one(decide(reader, id))).selected).toBe(0);
});
