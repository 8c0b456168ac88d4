import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { updateUserBody } from '../../../../src/features/accounts/users/user-schemas.ts';
import { auditedColumns } from '../../../../src/features/operations/audit/audit-entries.ts';
import type { AuditEntry } from '../../../../src/features/operations/audit/audit-routes.ts';
import { updateProjectBody } from '../../../../src/features/study/projects/project-schemas.ts';
import { projectRoot } from '../../../../src/project-root.ts';
import { createAccount, signIn } from '../../../support/accounts.ts';
import { contactSettings, submit } from '../../../support/contact.ts';
import { type ImageApp, startImageApp } from '../../../support/image-app.ts';
import { onePixel } from '../../../support/one-pixel.ts';
import type { TestUser } from '../../../support/test-app.ts';

let app: ImageApp;
let admin: TestUser;
beforeAll(async () => {
  app = await startImageApp({ settings: contactSettings });
  admin = await app.createUser({ role: 'admin', username: 'head' });
});
afterAll(() => app.stop());

async function entries(query = ''): Promise<AuditEntry[]> {
  return (await app.as(admin).get(`/api/admin/audit?limit=100${query}`).expect(200)).body.data.entries;
}

/** The entries that `work` adds, oldest first: action, target, before and after. */
async function addedEntries(work: () => Promise<unknown>) {
  const [last] = await entries();
  await work();
  const added = (await entries()).filter((entry) => entry.id > (last?.id ?? 0)).reverse();
  return added.map(({ action, target_type, target_ids, before, after }) => ({
    action,
    target: [target_type, ...target_ids],
    before,
    after,
  }));
}

async function createUser(username: string): Promise<number> {
  const response = await app
    .as(admin)
    .post('/api/admin/users', { username, email: `${username}@example.org`, password: 'a very secret one' })
    .expect(201);
  return response.body.data.id;
}

/** The fields of a body that are logged columns: assignments have their own entries, passwords are never logged. */
const columnsOf = (body: { shape: object }) =>
  Object.keys(body.shape).filter((field) => !field.startsWith('assigned_user_id') && field !== 'password');

test.each([
  ['project', columnsOf(updateProjectBody)],
  ['user', columnsOf(updateUserBody).filter((field) => field !== 'time_zone')],
] as const)('every field of a %s that administrators can change is logged', (type, columns) => {
  expect(columns.filter((column) => !auditedColumns[type].includes(column))).toEqual([]);
});

test('the web application has a name for every column that is logged', async () => {
  const columns = Object.values(auditedColumns).flat();
  expect(columns).toContain('due_date');
  const texts = await readFile(path.join(projectRoot, 'web/src/features/audit/field-messages.ts'), 'utf8');
  const [fieldMessages = ''] = texts.split('valueMessages');
  expect(columns.filter((name) => !fieldMessages.includes(`\n  ${name}: {`))).toEqual([]);
});

describe('changes by administrators are logged', () => {
  test('of users: the changed fields, never a password', async () => {
    let id = 0;
    const created = await addedEntries(async () => {
      id = await createUser('mei');
    });
    expect(created).toMatchObject([
      { action: 'createUser', target: ['user', id], before: null, after: { username: 'mei', role: 'user' } },
    ]);
    expect(
      await addedEntries(async () => {
        await app.as(admin).put(`/api/admin/users/${id}`, { role: 'admin', username: 'mei' }).expect(200);
        await app.as(admin).put(`/api/admin/users/${id}`, { role: 'admin' }).expect(200);
        await app.as(admin).post(`/api/admin/users/${id}/reset-password`, { password: 'brand new one' }).expect(200);
      }),
    ).toEqual([
      { action: 'updateUser', target: ['user', id], before: { role: 'user' }, after: { role: 'admin' } },
      { action: 'resetPassword', target: ['user', id], before: null, after: { password_changed: true } },
    ]);
    const [row] = await app.query<{ text: string }>(`SELECT string_agg(a::text, ' ') AS text FROM audit_log a`);
    expect(row?.text).toContain('mei');
    expect(row?.text).not.toMatch(/argon2|password_hash|secret one|brand new one/);
  });

  test('of users: a deletion removes personal data from older entries', async () => {
    const id = await createUser('leaving');
    await app.as(admin).put(`/api/admin/users/${id}`, { display_name: 'Leaving Lin', status: 'inactive' }).expect(200);
    const deleted = await addedEntries(() => app.as(admin).delete(`/api/admin/users/${id}`).expect(200));
    expect(deleted).toMatchObject([{ action: 'deleteUser', target: ['user', id], before: { deleted_at: null } }]);
    const log = JSON.stringify(await entries(`&target_id=${id}`));
    expect(log).toContain('inactive');
    expect(log).not.toMatch(/leaving/i);
  });

  test('of projects, only when changed by an administrator', async () => {
    const owner = await app.createUser();
    const own = await addedEntries(async () => {
      const project = await app.as(owner).post('/api/projects', { name: 'Mine' }).expect(201);
      await app.as(owner).put(`/api/projects/${project.body.data.id}`, { name: 'Still mine' }).expect(200);
      await app.as(owner).delete(`/api/projects/${project.body.data.id}`).expect(200);
    });
    expect(own).toEqual([]);

    const id = await app.createProject(owner);
    const url = `/api/projects/${id}`;
    const changes = await addedEntries(async () => {
      await app.as(admin).put(url, { name: 'Renamed', description: '' }).expect(200);
      await app.upload(admin, id, await onePixel()).expect(200);
      await app.as(admin).delete(url).expect(200);
      await app.as(admin).post(`${url}/restore`).expect(200);
      await app.as(admin).post(`${url}/sessions`, { started_at: '2026-03-01T08:00:00Z', duration_seconds: 600 });
    });
    expect(changes).toMatchObject([
      { action: 'updateProject', target: ['project', id], before: { name: 'Painted' }, after: { name: 'Renamed' } },
      { action: 'uploadProjectImage', before: { image: null } },
      { action: 'deleteProject', before: { deleted_at: null } },
      { action: 'restoreProject', after: { deleted_at: null } },
    ]);
    expect(changes[0]?.after).toEqual({ name: 'Renamed' });
  });

  test('of assignments: a batch is one entry, regardless of its number of pairs', async () => {
    const users = await Promise.all([app.createUser(), app.createUser(), app.createUser()]);
    const user_ids = users.map((user) => user.id).sort((a, b) => a - b);
    const project_ids = [await app.createProject(admin), await app.createProject(admin)];
    const batch = (assign_type: string) =>
      app.as(admin).post('/api/projects/batch-assign', { project_ids, user_ids, assign_type }).expect(200);
    expect(
      await addedEntries(async () => {
        await batch('add');
        await batch('add');
        await batch('remove');
      }),
    ).toEqual([
      { action: 'batchAssign', target: ['assignment', ...project_ids], before: null, after: { pairs: 6, user_ids } },
      { action: 'batchAssign', target: ['assignment', ...project_ids], before: { pairs: 6, user_ids }, after: null },
    ]);
  });

  test('of contact requests, without the message or the sender', async () => {
    const sent = await submit(app, { message: 'My secret story', name: 'Stranger Danger' });
    expect(sent.status).toBe(201);
    const [request] = await app.query<{ id: number }>('SELECT max(id) AS id FROM contact_requests');
    const url = `/api/admin/contact-requests/${request?.id}`;
    const changes = await addedEntries(async () => {
      await app.as(admin).put(`${url}/status`, { status: 'reviewed', adminNote: 'called back' }).expect(200);
      await app.as(admin).delete(url).expect(200);
    });
    expect(changes).toEqual([
      {
        action: 'advanceContactRequest',
        target: ['contact_request', request?.id],
        before: { status: 'pending' },
        after: { status: 'reviewed' },
      },
      {
        action: 'deleteContactRequest',
        target: ['contact_request', request?.id],
        before: { subject: 'technical_support', status: 'reviewed', user_id: null },
        after: null,
      },
    ]);
  });

  test('of study records of other users, without the note', async () => {
    const author = await app.createUser();
    const project = await app.createProject(author);
    const record = { started_at: '2026-03-01T08:00:00Z', duration_seconds: 600, note: 'Private thoughts' };
    const created = await app.as(author).post(`/api/projects/${project}/sessions`, record).expect(201);
    const { id } = created.body.data;
    const url = `/api/sessions/${id}`;
    const changes = await addedEntries(async () => {
      await app.as(author).put(url, { note: 'More of them' }).expect(200);
      await app.as(admin).put(url, { note: 'Tidied up' }).expect(200);
      await app.as(admin).put(url, { note: 'Tidied up' }).expect(200);
      await app.as(admin).put(url, { started_at: '2026-03-01T08:05:00Z', duration_seconds: 300 }).expect(200);
      await app.as(admin).delete(url).expect(200);
    });
    const target = ['session', id];
    expect(changes).toMatchObject([
      { action: 'updateSession', target, before: null, after: { note_changed: true } },
      { action: 'updateSession', target },
      { action: 'deleteSession', target, before: { project_id: project, user_id: author.id }, after: null },
    ]);
    expect(changes[1]?.before).toEqual({ started_at: '2026-03-01T08:00:00+00:00' });
    expect(changes[1]?.after).toEqual({ started_at: '2026-03-01T08:05:00+00:00' });
    expect(JSON.stringify(changes)).not.toMatch(/thoughts|Tidied|More/);
  });

  test('but not of an administrator’s own records, nor of timers stopped by deleting a project', async () => {
    const own = await app.createProject(admin);
    const author = await app.createUser();
    const other = await app.createProject(author);
    await app.as(author).post('/api/timer/start', { project_id: other }).expect(201);
    const record = { started_at: '2026-03-02T08:00:00Z', duration_seconds: 600 };
    const created = await app.as(admin).post(`/api/projects/${own}/sessions`, record).expect(201);
    const url = `/api/sessions/${created.body.data.id}`;
    const changes = await addedEntries(async () => {
      await app.as(admin).put(url, { note: 'Mine' }).expect(200);
      await app.as(admin).delete(url).expect(200);
      await app.as(admin).delete(`/api/projects/${other}`).expect(200);
    });
    expect(changes.map(({ action }) => action)).toEqual(['deleteProject']);
  });

  test('of exports: which personal data, without the search terms', async () => {
    const user = await app.createUser();
    const changes = await addedEntries(async () => {
      await app.as(user).get('/api/sessions/export').expect(200);
      await app.as(admin).get(`/api/sessions/export?user_id=${user.id}&format=json`).expect(200);
      await app
        .as(admin)
        .get('/api/admin/contact-requests/export?status=pending&email=somebody@example.org')
        .expect(200);
    });
    expect(changes).toEqual([
      { action: 'exportSessions', target: ['export'], before: null, after: { user_id: user.id } },
      {
        action: 'exportContactRequests',
        target: ['export'],
        before: null,
        after: { status: 'pending', subject: 'all' },
      },
    ]);
  });

  test('but not rejected changes or sign-ins', async () => {
    const other = await app.createUser({ role: 'admin', username: 'second' });
    expect(
      await addedEntries(async () => {
        await app.as(admin).put(`/api/admin/users/${other.id}`, { username: 'head' }).expect(400);
        await app.as(admin).delete('/api/admin/users/999999').expect(404);
      }),
    ).toEqual([]);
    const account = await createAccount(app, { role: 'admin' });
    expect(await addedEntries(() => signIn(app, account))).toEqual([]);
  });
});

describe('the list', () => {
  test('shows actor, time and request id, and can be filtered', async () => {
    const second = await app.createUser({ role: 'admin' });
    const target = await app.createUser();
    const response = await app
      .as(second)
      .put(`/api/admin/users/${target.id}`, { display_name: 'Narrow' })
      .set('X-Request-Id', 'request-of-narrow')
      .expect(200);
    expect(response.status).toBe(200);
    const [entry, ...more] = await entries(`&actor=${second.id}`);
    expect(more).toEqual([]);
    expect(entry).toMatchObject({
      actor: { id: second.id, username: second.username },
      action: 'updateUser',
      request_id: 'request-of-narrow',
    });
    const at = Date.parse(entry?.at ?? '');
    expect(Math.abs(Date.now() - at)).toBeLessThan(300_000);
    const moment = (offset: number) => encodeURIComponent(new Date(at + offset).toISOString());
    expect(await entries(`&target_id=${target.id}&action=updateUser`)).toEqual([entry]);
    expect(await entries(`&target_id=${target.id}&action=deleteUser`)).toEqual([]);
    expect(await entries(`&target_type=user&target_id=${target.id}&actor=${second.id}`)).toEqual([entry]);
    expect(await entries(`&target_type=group&target_id=${target.id}&actor=${second.id}`)).toEqual([]);
    expect(await entries(`&actor=${second.id}&from=${moment(0)}&to=${moment(1)}`)).toEqual([entry]);
    expect(await entries(`&actor=${second.id}&to=${moment(0)}`)).toEqual([]);
    expect(await entries(`&actor=${second.id}&from=${moment(1)}`)).toEqual([]);
  });

  test('is paginated, newest first', async () => {
    const all = await entries();
    expect(all.map((entry) => entry.id)).toEqual(all.map((entry) => entry.id).sort((a, b) => b - a));
    const page = (await app.as(admin).get('/api/admin/audit?page=2&limit=2').expect(200)).body.data;
    expect(page.entries).toEqual(all.slice(2, 4));
    expect(page.pagination).toEqual({ page: 2, limit: 2, total: all.length, pages: Math.ceil(all.length / 2) });
    await app.as(admin).get('/api/admin/audit?from=yesterday').expect(400);
    expect((await app.as(admin).get('/api/admin/audit?page=999').expect(200)).body.data.entries).toEqual([]);
  });
});

test('a page includes the names of existing users, projects and groups in its entries', async () => {
  const actor = await app.createUser({ role: 'admin', display_name: 'Deputy' });
  const people = [
    await app.createUser({ display_name: 'Lin Wei' }),
    await app.createUser({ display_name: 'Wang Fang' }),
  ];
  const [lin, wang] = people.map(({ id }) => id);
  const as = app.as(actor);
  const project = (await as.post('/api/projects', { name: 'Piano', assigned_user_ids: [lin] }).expect(201)).body.data
    .id;
  await as
    .post('/api/projects/batch-assign', { project_ids: [project], user_ids: [wang], assign_type: 'add' })
    .expect(200);
  const group = (await as.post('/api/admin/groups', { name: 'Class 7', user_ids: [wang] }).expect(201)).body.data.id;
  await as.put(`/api/projects/${project}`, { name: 'Grand piano' }).expect(200);
  const named = async () => {
    const { names } = (await app.as(admin).get(`/api/admin/audit?actor=${actor.id}`).expect(200)).body.data;
    return names.map(({ type, id, name }: AuditName) => `${type} ${id} ${name}`).sort();
  };
  expect(await named()).toEqual(
    [
      ...[`user ${actor.id} Deputy`, `user ${lin} Lin Wei`, `user ${wang} Wang Fang`],
      ...[`project ${project} Grand piano`, `group ${group} Class 7`],
    ].sort(),
  );
  await as.delete(`/api/admin/groups/${group}`).expect(200);
  await as.delete(`/api/admin/users/${wang}`).expect(200);
  expect(await named()).toEqual(
    [`user ${actor.id} Deputy`, `user ${lin} Lin Wei`, `project ${project} Grand piano`].sort(),
  );
});

type AuditName = { type: string; id: number; name: string };
