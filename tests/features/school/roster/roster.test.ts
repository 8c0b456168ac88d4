import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount, signIn } from '../../../support/accounts.ts';
import { runJob } from '../../../support/contact.ts';
import { createProject } from '../../../support/records.ts';
import { getRoster, header, runRoster, sendRoster } from '../../../support/roster.ts';
import { startSmtpServer, type TestSmtpServer } from '../../../support/servers/smtp-server.ts';
import { startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

let smtp: TestSmtpServer;
let app: TestApp;
let admin: TestUser;
beforeAll(async () => {
  smtp = await startSmtpServer();
  app = await startTestApp({ settings: { SMTP_URL: `smtp://127.0.0.1:${smtp.port}` } });
  admin = await app.createUser({ role: 'admin', timezone: 'Asia/Shanghai' });
});
afterAll(async () => {
  await app.stop();
  await smtp.stop();
});

const userOf = async (username: string) => {
  const { users } = (await app.as(admin).get(`/api/admin/users?search=${username}`).expect(200)).body.data;
  return users.find((user: { username: string }) => user.username === username);
};
const groupsOf = async (id: number) => {
  const { groups } = (await app.as(admin).get(`/api/admin/groups?user_id=${id}`).expect(200)).body.data;
  return groups.map((group: { name: string }) => group.name);
};
const kinds = (changes: readonly { kind: string; username: string }[]) => changes.map((c) => `${c.kind} ${c.username}`);

test('accounts without a group are counted, as below a merged cell that was saved as CSV', async () => {
  const rows = ['kim,kim@school.test,Kim,K1,Class 9', 'kai,kai@school.test,Kai,K2,', 'kay,kay@school.test,Kay,K3,'];
  const { roster } = await runRoster(app, admin, [header, ...rows], {});
  expect(roster.counts).toMatchObject({ new: 3, without_groups: 2 });
  const withoutColumn = await runRoster(app, admin, ['username,email', 'ken,ken@school.test'], {});
  expect(withoutColumn.roster.counts).toMatchObject({ new: 1, without_groups: 0 });
});

test('a dry run shows the difference and changes nothing; then it is applied, and the same file changes nothing more', async () => {
  const known = await createAccount(app, { username: 'mei', display_name: 'Mei' });
  const file = [
    header,
    'anna,anna@school.test,Anna Berg,S1,Class 3b; Choir',
    `mei,mei.chen@school.test,Mei Chen,S2,class 3B`,
    `${admin.username},${admin.email},Somebody,S3,Class 3b`,
  ];
  const before = await app.query('SELECT count(*) AS n FROM users');
  const dry = await runRoster(app, admin, file, {});
  expect(dry.roster).toMatchObject({
    ...{ dry_run: true, state: 'done', rows: 3, errors_count: 0, format: 'csv', problems: 0 },
    counts: { new: 1, changed: 1, moved: 1, missing: 0, unchanged: 0, left_out: 1 },
  });
  expect(dry.roster.counts.new_groups).toHaveLength(2);
  expect(dry.changes).toMatchObject([
    { row: 2, kind: 'new', user_id: null, username: 'anna', joins: ['Class 3b', 'Choir'] },
    {
      ...{ row: 3, kind: 'existing', user_id: known.id, joins: ['class 3B'], leaves: [] },
      changes: [
        { field: 'email', before: known.email, after: 'mei.chen@school.test' },
        { field: 'display_name', before: 'Mei', after: 'Mei Chen' },
        { field: 'external_id', before: null, after: 'S2' },
      ],
    },
    { row: 4, kind: 'left_out', user_id: admin.id },
  ]);
  expect(await app.query('SELECT count(*) AS n FROM users')).toEqual(before);
  expect(await app.query('SELECT id FROM groups')).toEqual([]);

  const applied = await runRoster(app, admin, file);
  expect(applied.roster).toMatchObject({ state: 'done', processed: 3, problems: 0 });
  const anna = await userOf('anna');
  expect(anna).toMatchObject({
    display_name: 'Anna Berg',
    role: 'user',
    timezone: 'Asia/Shanghai',
    has_password: false,
  });
  expect((await groupsOf(anna.id)).sort()).toEqual(['Choir', 'Class 3b']);
  expect(await userOf('mei')).toMatchObject({ email: 'mei.chen@school.test', display_name: 'Mei Chen' });
  expect(await userOf(admin.username)).toMatchObject({ display_name: admin.username, role: 'admin' });

  const { entries } = (await app.as(admin).get('/api/admin/audit?limit=100').expect(200)).body.data;
  const logged = entries.filter((entry: { action: string }) => entry.action === 'importRoster');
  expect(new Set(logged.map((entry: { target_type: string }) => entry.target_type))).toEqual(
    new Set(['user', 'group']),
  );

  const again = await runRoster(app, admin, file);
  expect(again.roster.counts).toMatchObject({ new: 0, changed: 0, moved: 0, missing: 0, unchanged: 2, new_groups: [] });
  expect(kinds(again.changes)).toEqual([`left_out ${admin.username}`]);
});

test('a list of users from Moodle: first and last name, groups of cohorts, and the columns that are not read', async () => {
  const file = [
    'username,firstname,lastname,email,idnumber,cohort1,cohort2,city',
    'mdl.bob,Bob,Chen,mdl.bob@example.org,M1,Class 3m,Choir m,Berlin',
    'mdl.bo,博,陈,mdl.bo@example.org,M2,Class 3m,,Berlin',
  ];
  const { roster, changes } = await runRoster(app, admin, file, {});
  expect(roster).toMatchObject({ errors_count: 0, unread_columns: ['city'] });
  expect(roster.columns).toEqual([
    { field: 'username', column: 'username' },
    { field: 'email', column: 'email' },
    { field: 'first_name', column: 'firstname' },
    { field: 'last_name', column: 'lastname' },
    { field: 'external_id', column: 'idnumber' },
    { field: 'group', column: 'cohort1' },
    { field: 'group', column: 'cohort2' },
  ]);
  expect(changes.slice(0, 2)).toMatchObject([
    { username: 'mdl.bob', display_name: 'Bob Chen', joins: ['Class 3m', 'Choir m'] },
    { username: 'mdl.bo', display_name: '陈博', joins: ['Class 3m'] },
  ]);
});

test('of Name and Vorname the first is the family name; a directory has the names of its attributes', async () => {
  const german = await runRoster(
    app,
    admin,
    ['Anmeldename,Name,Vorname,E-Mail', 'ger.may,May,Karl,may@example.org'],
    {},
  );
  expect(german.changes.slice(0, 1)).toMatchObject([{ username: 'ger.may', display_name: 'Karl May' }]);
  const directory = await runRoster(
    app,
    admin,
    ['sAMAccountName,givenName,sn,mail', 'dir.eva,Eva,Lang,eva@example.org'],
    {},
  );
  expect(directory.changes.slice(0, 1)).toMatchObject([{ username: 'dir.eva', display_name: 'Eva Lang' }]);
  expect([german.roster.unread_columns, directory.roster.unread_columns]).toEqual([[], []]);
});

test('a number that a spreadsheet has shortened is refused, and half a name is not read', async () => {
  const file = ['username,firstname,email,external_id,mail', 'half,Half,half@example.org,2.0261E+11,x@example.org'];
  const { roster } = await runRoster(app, admin, file, {});
  expect(roster.unread_columns).toEqual(['firstname', 'mail']);
  expect(roster.errors).toMatchObject([
    { row: 2, field: 'external_id', message: expect.stringMatching(/^is “2.0261E\+11”, a number whose digits/) },
  ]);
});

test('the next term: accounts move, rename and return, and only accounts of a roster are missing', async () => {
  const guest = await createAccount(app, { username: 'guest' });
  const group = await app.as(admin).post('/api/admin/groups', { name: 'By hand' }).expect(201);
  const first = [
    header,
    'bob,bob@school.test,Bo,T1,3a',
    'cyd,cyd@school.test,Cy,T2,3a',
    'dia,dia@school.test,Di,T3,3a',
  ];
  await runRoster(app, admin, [...first, 'anna,,,S1,Class 3b', 'mei,,,S2,Class 3b']);
  const [bo, cy, di] = [await userOf('bob'), await userOf('cyd'), await userOf('dia')];
  await app
    .as(admin)
    .post(`/api/admin/groups/${group.body.data.id}/members`, { add: [bo.id] })
    .expect(200);
  await app.as(admin).post(`/api/admin/users/${cy.id}/reset-password`, { password: 'a good password' }).expect(200);
  const cyHere = await signIn(app, { ...cy, password: 'a good password' });
  const project = await createProject(app, cyHere);
  await app.as(cyHere).post('/api/timer/start', { project_id: project }).expect(201);

  const second = [
    header,
    'bob.new,bob@school.test,Bo,T1,4a',
    ',dia@school.test,,,4a',
    'anna,,,S1,Class 3b',
    'mei,,,S2,Class 3b',
  ];
  const kept = await runRoster(app, admin, second, { dry_run: 'false', missing: 'keep' });
  expect(kept.roster.counts).toMatchObject({ new: 0, changed: 1, moved: 2, missing: 1, new_groups: ['4a'] });
  expect(await userOf('cyd')).toMatchObject({ status: 'active' });
  expect((await groupsOf(bo.id)).sort()).toEqual(['4a', 'By hand']);
  expect(await userOf('bob.new')).toMatchObject({ id: bo.id });

  const deactivated = await runRoster(app, admin, second, { dry_run: 'false', missing: 'deactivate' });
  expect(deactivated.changes).toMatchObject([{ row: null, kind: 'missing', user_id: cy.id, username: 'cyd' }]);
  expect(await userOf('cyd')).toMatchObject({ status: 'inactive' });
  expect(await userOf('guest')).toMatchObject({ id: guest.id, status: 'active' });
  await app.as(cyHere).get('/api/timer').expect(401);
  expect(await app.query('SELECT id FROM study_sessions WHERE user_id = $1 AND ended_at IS NULL', [cy.id])).toEqual([]);

  // An administrator has deactivated one, which stays so; a roster has deactivated the other.
  await app.as(admin).put(`/api/admin/users/${di.id}`, { status: 'inactive' }).expect(200);
  const back = await runRoster(app, admin, [...second, 'cyd,cyd@school.test,Cy,T2,4a'], { dry_run: 'false' });
  expect(back.roster).toMatchObject({ state: 'done', counts: { changed: 1, moved: 1 } });
  expect(await userOf('cyd')).toMatchObject({ id: cy.id, status: 'active' });
  expect(await userOf('dia')).toMatchObject({ status: 'inactive' });
});

test('an account that was deactivated by hand stays so, even if a roster had deactivated it before', async () => {
  const file = [header, 'kim,kim@school.test,Kim,K1,', 'lea,lea@school.test,Lea,K2,'];
  await runRoster(app, admin, file);
  await runRoster(app, admin, [header, 'lea,lea@school.test,Lea,K2,'], { dry_run: 'false', missing: 'deactivate' });
  const { id, status } = await userOf('kim');
  expect(status).toBe('inactive');
  for (const byHand of ['active', 'inactive'])
    await app.as(admin).put(`/api/admin/users/${id}`, { status: byHand }).expect(200);
  const { roster } = await runRoster(app, admin, file);
  expect(roster).toMatchObject({ state: 'done', counts: { changed: 0 } });
  expect(await userOf('kim')).toMatchObject({ status: 'inactive' });
});

test('a membership that was added by hand stays after a roster has named it', async () => {
  await runRoster(app, admin, [header, 'mia,mia@school.test,Mia,M1,']);
  const { id } = await userOf('mia');
  const group = await app.as(admin).post('/api/admin/groups', { name: 'Chess' }).expect(201);
  await app
    .as(admin)
    .post(`/api/admin/groups/${group.body.data.id}/members`, { add: [id] })
    .expect(200);
  await runRoster(app, admin, [header, 'mia,,,M1,Chess; 6a']);
  expect((await groupsOf(id)).sort()).toEqual(['6a', 'Chess']);
  await runRoster(app, admin, [header, 'mia,,,M1,6b']);
  expect((await groupsOf(id)).sort()).toEqual(['6b', 'Chess']);
});

test('a file with more new groups than a roster may create is refused', async () => {
  const rows = Array.from({ length: 401 }, (_, row) => {
    const names = Array.from({ length: 50 }, (__, n) => `G${row * 50 + n}`).join(';');
    return `many${row},many${row}@school.test,,N${row},${names}`;
  });
  const { roster } = await runRoster(app, admin, [header, ...rows]);
  expect(roster).toMatchObject({ state: 'failed', processed: 0, errors_count: 1 });
  expect(roster.errors).toMatchObject([{ field: 'group', message: expect.stringMatching(/more than 20,?000 groups/) }]);
  expect(await app.query("SELECT FROM groups WHERE name LIKE 'G1%'")).toEqual([]);
});

test.each([
  ['zh1', '用户名,邮箱,姓名,外部编号,分组'],
  ['zh2', '登录名,电子邮件地址,显示名称,学号,小组'],
  ['zh3', '使用者名稱,電子郵件,姓名,外部編號,班級'],
  ['zh4', '登入名,電子郵件地址,顯示名稱,學號,分組'],
])('columns may have Chinese names, simplified or traditional: %s', async (name, columns) => {
  await runRoster(app, admin, [columns, `${name},${name}@school.test,Lin,${name},7a`], {});
  const staged = 'SELECT email, display_name, external_id, group_names FROM roster_rows WHERE username = $1';
  const expected = { email: `${name}@school.test`, display_name: 'Lin', external_id: name, group_names: ['7a'] };
  expect(await app.query(staged, [name])).toEqual([expected]);
});

test('a page of changes past the end has the total', async () => {
  const { id } = (await app.as(admin).get('/api/admin/roster').expect(200)).body.data.rosters.find(
    (roster: { counts: { new: number } }) => roster.counts.new > 0,
  );
  const { pagination } = await getRoster(app, admin, id, '?page=900');
  expect(pagination.total).toBeGreaterThan(0);
});

test('a wrong file changes nothing, and each error says what was found', async () => {
  const other = await createAccount(app, { username: 'other' });
  await runRoster(app, admin, [header, 'eva,eva@school.test,Eva,U1,5a']);
  const found = await runRoster(app, admin, [
    header,
    'fresh,fresh@school.test,Fresh,U2,5a',
    'a b,nowhere,,U3,5a',
    'twice,twice@school.test,,U4,5a',
    'TWICE,third@school.test,,U5,5a',
    `eva,${other.email},,U1,5a`,
    'eva.other,eva@school.test,,U9,5a',
    'nomail,,,U6,5a',
    `,,,,${'x'.repeat(51)}`,
  ]);
  expect(found.roster).toMatchObject({ state: 'failed', processed: 0, errors_count: 7 });
  const errors = found.roster.errors.map(
    (error: { row: number; field: string; message: string }) => `${error.row} ${error.field} ${error.message}`,
  );
  expect(errors.sort()).toEqual([
    expect.stringMatching(/^3 email is “nowhere”; accepted/),
    expect.stringMatching(/^3 username is “a b”; accepted are 3 to 32/),
    expect.stringMatching(/^5 username “TWICE” is also that of row 4/),
    expect.stringMatching(/^6 email “other@example.org” belongs to another account than “eva”/),
    expect.stringMatching(/^7 external_id differs from “U1”/),
    expect.stringMatching(/^8 email is empty; a new account/),
    expect.stringMatching(/^9 group is “x+…”; accepted/),
  ]);
  expect(await userOf('fresh')).toBeUndefined();
  const chinese = await app
    .as(admin)
    .get(`/api/admin/roster/${found.roster.id}`)
    .set('Accept-Language', 'zh')
    .expect(200);
  expect(chinese.body.data.roster.errors[0].message).toMatch(/应为/);
});

test('names that two accounts exchange are an error for each, and nothing changes', async () => {
  await runRoster(app, admin, [header, 'swap.a,swap.a@school.test,A,Y1,', 'swap.b,swap.b@school.test,B,Y2,']);
  const { roster } = await runRoster(app, admin, [header, 'swap.b,,A,Y1,', 'swap.a,,B,Y2,']);
  expect(roster).toMatchObject({ state: 'failed', errors_count: 2 });
  expect(roster.errors).toMatchObject([
    {
      row: 2,
      field: 'username',
      message: expect.stringContaining('“swap.b” belongs to another account than “swap.a”'),
    },
    {
      row: 3,
      field: 'username',
      message: expect.stringContaining('“swap.a” belongs to another account than “swap.b”'),
    },
  ]);
  // As docs/roster.md says: with other names first.
  await runRoster(
    app,
    admin,
    [header, 'swap.c,,A,Y1,', 'swap.a,,B,Y2,'].map((row) => row.replace('swap.a,', 'swap.d,')),
  );
  const swapped = await runRoster(app, admin, [header, 'swap.b,,A,Y1,', 'swap.a,,B,Y2,']);
  expect(swapped.roster).toMatchObject({ state: 'done', counts: { changed: 2 }, problems: 0 });
  expect(await userOf('swap.a')).toMatchObject({ display_name: 'B' });
});

test('a file that is too short does not deactivate the others, unless their number was sent', async () => {
  const known = Array.from({ length: 30 }, (_, n) => `short${n},short${n}@school.test,,Z${n},`);
  await runRoster(app, admin, [header, ...known]);
  const short = [header, ...known.slice(0, 5)];
  const { counts } = (await runRoster(app, admin, short, { missing: 'deactivate' })).roster;
  expect(counts.missing).toBeGreaterThan(24);
  const options = { dry_run: 'false', missing: 'deactivate' };
  for (const fields of [options, { ...options, deactivate_at_most: String(counts.missing - 1) }]) {
    const { roster } = await runRoster(app, admin, short, fields);
    expect(roster).toMatchObject({ state: 'failed', errors_count: 1 });
    expect(roster.errors).toMatchObject([{ field: 'deactivate_at_most' }]);
    expect(roster.errors[0].message).toContain(`but ${counts.missing} accounts are missing. Send ${counts.missing}`);
  }
  expect(await userOf('short29')).toMatchObject({ status: 'active' });
  const confirmed = { ...options, deactivate_at_most: String(counts.missing) };
  expect((await runRoster(app, admin, short, confirmed)).roster).toMatchObject({ state: 'done', problems: 0 });
  expect(await userOf('short29')).toMatchObject({ status: 'inactive' });
  expect(await userOf('short4')).toMatchObject({ status: 'active' });
});

test('new accounts are invited by mail if wanted', async () => {
  await runRoster(app, admin, [header, 'hana,hana@school.test,Hana,V1,'], { dry_run: 'false', invite: 'true' });
  await runJob(app, 'send mails to account holders');
  const mails = smtp.mails.filter(({ recipients }) => recipients.includes('hana@school.test'));
  expect(mails).toMatchObject([{ text: expect.stringContaining('/accept#token=') }]);
});

test('a second roster is refused while one is unfinished, and the list has the newest first', async () => {
  const { id } = (await sendRoster(app, admin, [header, 'ida,ida@school.test,,W1,']).expect(202)).body.data;
  const refused = await sendRoster(app, admin, [header, 'ida,ida@school.test,,W1,']).expect(409);
  expect(refused.body.message).toMatch(/Another student list/);
  await runJob(app, 'apply rosters');
  expect((await getRoster(app, admin, id)).roster.state).toBe('done');
  const { rosters } = (await app.as(admin).get('/api/admin/roster').expect(200)).body.data;
  expect(rosters[0]).toMatchObject({ id, requested_by: { username: admin.username } });
});

test.each([
  ['a file without known columns', ['a,b', '1,2'], /has the columns “a, b”; expected are/],
  ['an empty table', [header], /has no accounts/],
])('%s is refused at once', async (_, file, message) => {
  const response = await sendRoster(app, admin, file).expect(400);
  expect(response.body.error.details[0].message).toMatch(message);
});

test('an account that is deleted is forgotten', async () => {
  await runRoster(app, admin, [header, 'joy,joy@school.test,Jo,X1,']);
  const jo = await userOf('joy');
  await app.as(admin).delete(`/api/admin/users/${jo.id}`).expect(200);
  expect(await app.query('SELECT FROM roster_accounts WHERE user_id = $1', [jo.id])).toEqual([]);
  expect(await app.query('SELECT FROM roster_rows WHERE user_id = $1', [jo.id])).toEqual([]);
});
