import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { finishJob } from '../../../support/contact.ts';
import { untilWaiting } from '../../../support/locks.ts';
import { downloadExport } from '../../../support/personal-export.ts';
import { startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

let app: TestApp;
let ann: TestUser;
let bob: TestUser;
let student: TestUser;
beforeAll(async () => {
  app = await startTestApp();
  [ann, bob] = [await app.createUser({ role: 'admin' }), await app.createUser({ role: 'admin' })];
});
afterAll(() => app.stop());
beforeEach(async () => {
  student = await app.createUser();
});

const pathOf = ({ id }: TestUser) => `/api/admin/users/${id}/note`;
const read = async (of = student) => (await app.as(ann).get(pathOf(of)).expect(200)).body.data;
const write = (by: TestUser, text: string, of = student) => app.as(by).put(pathOf(of), { text });
const rowsOf = (of: TestUser) => app.query('SELECT text FROM student_notes WHERE user_id = $1', [of.id]);

/** A class with the student, and the administrator who is limited to it. */
async function createTeacher() {
  const body = { name: `Class ${student.id}`, user_ids: [student.id] };
  const group = (await app.as(ann).post('/api/admin/groups', body).expect(201)).body.data.id;
  const teacher = await app.createUser({ role: 'admin' });
  const scope = { admin_scope: 'groups', admin_group_ids: [group] };
  await app.as(ann).put(`/api/admin/users/${teacher.id}`, scope).expect(200);
  return { teacher, group };
}

describe('a note about a student', () => {
  test('is written, read with its author, changed by another teacher and removed', async () => {
    expect(await read()).toBeNull();
    const written = await write(ann, '  Calls after four.\nThe mother reads the mails.  ').expect(200);
    const text = 'Calls after four.\nThe mother reads the mails.';
    expect(written.body.data).toMatchObject({ text, updated_by: { id: ann.id } });
    expect(await read()).toEqual(written.body.data);
    const { teacher } = await createTeacher();
    await write(teacher, 'Calls after five.').expect(200);
    expect(await read()).toMatchObject({ text: 'Calls after five.', updated_by: { id: teacher.id } });
    expect((await write(bob, ' \n ').expect(200)).body.data).toBeNull();
    expect([await read(), await rowsOf(student)]).toEqual([null, []]);
    await write(bob, '').expect(200);
  });

  test('has at most 2,000 characters of plain text', async () => {
    await write(ann, '字'.repeat(2001)).expect(400);
    await write(ann, '\u0000').expect(400);
    await write(ann, '字'.repeat(2000)).expect(200);
    expect((await read()).text).toHaveLength(2000);
  });

  test('is about existing students only', async () => {
    await write(ann, 'A note', bob).expect(404);
    await app.as(ann).get(pathOf(bob)).expect(404);
    await app.as(ann).get('/api/admin/users/999999/note').expect(404);
    await write(ann, 'Was a student').expect(200);
    await app.as(ann).put(`/api/admin/users/${student.id}`, { role: 'admin' }).expect(200);
    await app.as(ann).get(pathOf(student)).expect(404);
  });
});

describe('two teachers who write at the same time', () => {
  const put = (by: TestUser, text: string, etag: string) => write(by, text).set('If-Match', etag);

  test('the second one is refused and the text of the first one remains, also if there was none', async () => {
    const { headers } = await app.as(ann).get(pathOf(student)).expect(200);
    const absent = String(headers['etag']);
    const both = await Promise.all([put(ann, 'From Ann', absent), put(bob, 'From Bob', absent)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
    const refused = both.find(({ status }) => status === 412);
    expect(refused?.body.error.code).toBe('PRECONDITION_FAILED');
    const { text, etag } = await read();
    expect(text).toBe(both[0].status === 200 ? 'From Ann' : 'From Bob');
    await put(ann, 'Changed', etag).expect(200);
    await put(bob, '', etag).expect(412);
    await put(bob, 'Also', etag).expect(412);
    const changed = await read();
    expect(changed.text).toBe('Changed');
    await put(ann, '', changed.etag).expect(200);
    await put(bob, 'Also', changed.etag).expect(412); // removed meanwhile
    expect(await read()).toBeNull();
  });

  test('the same text again changes neither version nor author', async () => {
    const first = (await write(ann, 'The same').expect(200)).body.data;
    const again = await put(bob, 'The same', first.etag).expect(200);
    expect(again.body.data).toEqual(first);
  });
});

describe('the student', () => {
  test('never gets it: not by its address, with their account, in their archive or in the copy of programs', async () => {
    const secret = 'Zanzibar';
    await write(ann, secret).expect(200);
    await app.as(student).get(pathOf(student)).expect(403);
    await write(student, 'Mine').expect(403);
    await app.as(student).post('/api/me/export', {}).expect(202);
    await finishJob(app, 'write personal exports');
    for (const path of ['/api/auth/me', '/api/dashboard', '/api/sync', '/api/me/days-off', '/api/school-year'])
      expect((await app.as(student).get(path).expect(200)).text).not.toContain(secret);
    const archive = await downloadExport(app, student);
    expect(archive.size).toBeGreaterThan(5);
    for (const content of archive.values()) expect(content.toString()).not.toContain(secret);
  });

  test('takes it along when the account is deleted; the notes of a deleted teacher remain without a name', async () => {
    const other = await app.createUser();
    const leaving = await app.createUser({ role: 'admin' });
    await write(leaving, 'About the first').expect(200);
    const { etag } = (await write(leaving, 'About the other', other).expect(200)).body.data;
    await app.as(ann).delete(`/api/admin/users/${leaving.id}`).expect(200);
    expect(await read(other)).toMatchObject({ text: 'About the other', updated_by: null, etag });
    await app.as(ann).delete(`/api/admin/users/${student.id}`).expect(200);
    expect(await rowsOf(student)).toEqual([]);
    await app.as(ann).get(pathOf(student)).expect(404);
  });
});

describe('a class teacher', () => {
  /** The request waits for the lock of the student, and what is done meanwhile is committed before it goes on. */
  async function meanwhile(work: () => PromiseLike<{ status: number }>, change: string, values: unknown[]) {
    let running: PromiseLike<{ status: number }> | undefined;
    await app.transaction(async (query) => {
      await query('SELECT FROM users WHERE id = $1 FOR UPDATE', [student.id]);
      running = Promise.resolve(work());
      await untilWaiting(app, 1);
      await query(change, values);
    });
    return running;
  }

  test('who loses the student while the request waits writes nothing', async () => {
    const { teacher, group } = await createTeacher();
    const leave = 'DELETE FROM group_members WHERE group_id = $1 AND user_id = $2';
    const refused = await meanwhile(() => write(teacher, 'Too late'), leave, [group, student.id]);
    expect(refused?.status).toBe(403);
    expect(await rowsOf(student)).toEqual([]);
    await app.as(teacher).get(pathOf(student)).expect(403);
  });

  test('of a student who becomes an administrator meanwhile nothing is written', async () => {
    const promote = "UPDATE users SET role = 'admin' WHERE id = $1";
    const refused = await meanwhile(() => write(ann, 'Too late'), promote, [student.id]);
    expect(refused?.status).toBe(404);
    expect(await rowsOf(student)).toEqual([]);
  });

  test('keeps the student until the note is written', async () => {
    const { teacher, group } = await createTeacher();
    await write(ann, 'Before').expect(200);
    const order: string[] = [];
    let both: Promise<unknown> | undefined;
    await app.transaction(async (query) => {
      await query('SELECT FROM student_notes WHERE user_id = $1 FOR UPDATE', [student.id]);
      const writing = write(teacher, 'In time').then(({ status }) => order.push(`written ${status}`));
      await untilWaiting(app, 1);
      const leaving = app
        .as(ann)
        .post(`/api/admin/groups/${group}/members`, { remove: [student.id] })
        .then(({ status }) => order.push(`left ${status}`));
      both = Promise.all([writing, leaving]);
      await untilWaiting(app, 2);
      expect(order).toEqual([]);
    });
    await both;
    expect(order).toEqual(['written 200', 'left 200']);
  });
});

test('the audit log says who wrote about whom, and no text', async () => {
  await write(ann, 'Confidential').expect(200);
  await write(bob, '').expect(200);
  const { entries } = (await app.as(ann).get(`/api/admin/audit?target_id=${student.id}`).expect(200)).body.data;
  const fields = { action: 'saveStudentNote', target_ids: [student.id], before: null, after: { note_changed: true } };
  const written = entries.filter(({ action }: { action: string }) => action === 'saveStudentNote');
  expect(written).toMatchObject([
    { ...fields, actor: { id: bob.id } },
    { ...fields, actor: { id: ann.id } },
  ]);
  const log = await app.query<{ text: string }>('SELECT a::text AS text FROM audit_log a');
  expect(log.filter(({ text }) => text.includes('Confidential'))).toEqual([]);
});
