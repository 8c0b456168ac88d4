import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runRoster, sendRoster } from '../../../support/roster.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';
import { oneRoster, zip } from '../../../support/zip.ts';

let app: TestApp;
let admin: TestUser;
beforeAll(async () => {
  app = await startTestApp({ clock: createTestClock(new Date('2026-08-31T23:30:00Z')) }); // 1 September in Shanghai
  admin = await app.createUser({ role: 'admin' });
});
afterAll(() => app.stop());

const users = [
  'sourcedId,status,dateLastModified,enabledUser,orgSourcedIds,role,username,givenName,familyName,email',
  'u1,,,true,o1,student,anna.berg@school.test,Anna,Berg,anna@school.test',
  'u2,,,true,o1,student,wangfang,芳,王,wang@school.test',
  'u3,,,true,o1,teacher,tess,Tess,Teacher,tess@school.test',
  'u4,,,false,o1,student,gone,Gone,Away,gone@school.test',
].join('\n');
const classes = 'sourcedId,title,classCode\nc1,Algebra,A-1\nc2,Algebra,A-2\nc3,Chemistry,\n';
const enrollments = [
  'sourcedId,classSourcedId,userSourcedId,role,endDate',
  'e1,c1,u1,student,',
  'e2,c3,u1,student,2020-01-31',
  'e3,c2,u2,student,2999-01-31',
  'e4,c3,u3,teacher,',
].join('\n');

test('a OneRoster 1.1 archive becomes accounts of its students, in groups of their classes', async () => {
  const archive = oneRoster({ 'users.csv': users, 'classes.csv': classes, 'enrollments.csv': enrollments });
  const { roster, changes } = await runRoster(app, admin, archive);
  expect(roster).toMatchObject({ format: 'oneroster', state: 'done', rows: 2, counts: { new: 2 } });
  expect(changes).toMatchObject([
    { username: 'anna.berg', display_name: 'Anna Berg', joins: ['Algebra (A-1)'] },
    { username: 'wangfang', display_name: '王芳', joins: ['Algebra (A-2)'] },
  ]);
  expect(await app.query('SELECT external_id FROM roster_accounts ORDER BY 1')).toEqual([
    { external_id: 'u1' },
    { external_id: 'u2' },
  ]);
});

test('enrollments of today are those of the date where the administrator is', async () => {
  const archive = oneRoster({
    'users.csv': 'sourcedId,role,username,givenName,familyName,email\nz1,student,zoe,Zoe,Z,zoe@school.test',
    'classes.csv': 'sourcedId,title,classCode\nc1,Last year,\nc2,This year,\n',
    'enrollments.csv':
      'sourcedId,classSourcedId,userSourcedId,role,beginDate,endDate\ne1,c1,z1,student,,2026-08-31\ne2,c2,z1,student,2026-09-01,',
  });
  await app.as(admin).put('/api/auth/me', { timezone: 'Asia/Shanghai' }).expect(200);
  const { changes } = await runRoster(app, admin, archive);
  expect(changes.filter(({ username }: { username: string }) => username === 'zoe')).toMatchObject([
    { joins: ['This year'] },
  ]);
});

const enrolled = (dates: string) =>
  oneRoster({
    'users.csv': 'sourcedId,role,username,givenName,familyName,email\ny1,student,yara,Yara,Y,yara@school.test',
    'classes.csv': 'sourcedId,title\nc1,Physics\n',
    'enrollments.csv': `sourcedId,classSourcedId,userSourcedId,role,beginDate,endDate\ne1,c1,y1,student,${dates}`,
  });

test.each([
  ['2026/08/01,2027/06/30', ['Physics']],
  ['20260801,20270630', ['Physics']],
  ['01.08.2026,30.06.2027', ['Physics']],
  ['2026-09-01T00:00:00Z,', ['Physics']],
  ['1-Aug-2026,31-Dec-2026', ['Physics']],
  ['2026/12/01,', []],
  ['01.08.2025,30.06.2026', []],
])('the dates %s of an enrollment are read', async (dates, joins) => {
  await app.as(admin).put('/api/auth/me', { timezone: 'Asia/Shanghai' }).expect(200);
  const { changes } = await runRoster(app, admin, enrolled(dates), {});
  expect(changes.find(({ username }: { username: string }) => username === 'yara')).toMatchObject({ joins });
});

test('a date that may be two dates, or none, is an error of its row', async () => {
  for (const [dates, field] of [
    ['9/1/2026,', 'beginDate'],
    [',2026-02-30', 'endDate'],
    [',next year', 'endDate'],
  ] as const) {
    const { roster } = await runRoster(app, admin, enrolled(dates), {});
    expect(roster).toMatchObject({ errors_count: 1, errors: [{ file: 'enrollments.csv', row: 2, field }] });
  }
});

test('inactive users are left out; unknown values of status and enabledUser are errors', async () => {
  const state = (status: string, enabled: string) =>
    oneRoster({
      'users.csv': `sourcedId,status,enabledUser,role,username,givenName,familyName,email\nw1,${status},${enabled},student,wim,Wim,W,wim@school.test\nw2,active,TRUE,student,wes,Wes,W,wes@school.test`,
    });
  const { changes } = await runRoster(app, admin, state('inactive', 'true'), {});
  expect(changes.filter(({ kind }: { kind: string }) => kind === 'new')).toMatchObject([{ username: 'wes' }]);
  const { roster } = await runRoster(app, admin, state('left', 'no'), {});
  expect(roster.errors).toMatchObject([
    { file: 'users.csv', row: 2, field: 'status', message: 'is “left”; accepted are active, tobedeleted, inactive' },
    { file: 'users.csv', row: 2, field: 'enabledUser', message: 'is “no”; accepted are true, false' },
  ]);
});

test('unknown roles are errors of their rows, and those of staff and extensions are left out', async () => {
  const archive = oneRoster({
    'users.csv':
      'sourcedId,role,username,givenName,familyName,email\np1,Pupil,pia,Pia,P,pia@school.test\np2,Guardian,gus,Gus,G,gus@school.test\np3,ext:coach,cor,Cor,C,cor@school.test',
    'enrollments.csv': 'sourcedId,classSourcedId,userSourcedId,role\ne1,c1,p1,learner\ne2,c1,p2,teacher',
  });
  const { roster } = await runRoster(app, admin, archive, {});
  expect(roster.errors).toMatchObject([
    {
      file: 'enrollments.csv',
      row: 2,
      field: 'role',
      message: expect.stringMatching(/^is “learner”; accepted are student, teacher, /),
    },
    { file: 'users.csv', row: 2, field: 'role' },
  ]);
});

test('in a 1.2 archive, roles.csv says who is a student', async () => {
  const archive = oneRoster({
    'manifest.csv': 'propertyName,value\noneroster.version,1.2\n',
    'users.csv':
      'sourcedId,username,givenName,familyName,email\nv1,bela,Bela,B,bela@school.test\nv2,tom,Tom,T,tom@school.test\nv3,left,Le,Ft,left@school.test\nv4,none,No,Ne,none@school.test',
    'roles.csv':
      'sourcedId,status,userSourcedId,roleType,role\nr1,active,v1,primary,student\nr2,active,v2,primary,teacher\nr3,tobedeleted,v3,primary,teacher',
  });
  const { changes } = await runRoster(app, admin, archive, {});
  const created = changes.filter(({ kind }: { kind: string }) => kind === 'new');
  expect(created).toMatchObject([{ username: 'bela' }]);
});

test('many enrollments of one student take no longer than those of many', async () => {
  const take = async (userOf: (n: number) => string) => {
    const lines = Array.from({ length: 40_000 }, (_, n) => `x${n},c${1 + (n % 3)},${userOf(n)},student,`);
    const archive = oneRoster({
      'users.csv': users.split('\n').slice(0, 2).join('\n'),
      'classes.csv': classes,
      'enrollments.csv': `sourcedId,classSourcedId,userSourcedId,role,endDate\n${lines.join('\n')}`,
    });
    const began = performance.now();
    const { roster, changes } = await runRoster(app, admin, archive, {});
    expect(roster).toMatchObject({ state: 'done', errors_count: 0 });
    return { changes, took: performance.now() - began };
  };
  const many = await take((n) => `u${n}`);
  const one = await take(() => 'u1');
  expect(one.changes[0]).toMatchObject({ joins: ['Algebra (A-2)', 'Chemistry'] });
  expect(one.took).toBeLessThan(4 * many.took);
});

test('errors name the file of the archive', async () => {
  const long = 'x'.repeat(51);
  const { roster } = await runRoster(
    ...([app, admin] as const),
    oneRoster({
      'users.csv': users.replace('wang@school.test', 'nowhere'),
      'classes.csv': `${classes}c4,${long},\n`,
      'enrollments.csv': `${enrollments}\ne9,c9,u1,student,`,
    }),
  );
  expect(roster).toMatchObject({ state: 'failed', counts: { new: 0, changed: 0 }, errors_count: 3 });
  expect(roster.errors).toMatchObject([
    { file: 'classes.csv', row: 5, field: 'group', message: expect.stringContaining('xxx') },
    { file: 'enrollments.csv', row: 6, field: 'classSourcedId', message: '“c9” is not in classes.csv' },
    { file: 'users.csv', row: 3, field: 'email', message: expect.stringContaining('nowhere') },
  ]);
});

const bomb = Buffer.alloc(2 * 1024 * 1024, 'a');
test.each([
  ['that expands more than a hundred times', zip({ name: 'users.csv', content: bomb }), /compressed more than 100/],
  ['that claims 128 MiB', zip({ name: 'users.csv', content: '', size: 2 ** 27 }), /more than .* 64 MiB/],
  [
    'of 101 files',
    zip(...Array.from({ length: 101 }, (_, n) => ({ name: `${n}.csv`, content: '' }))),
    /more than 100 files/,
  ],
  ['that is cut off', oneRoster({ 'users.csv': users }).subarray(0, 300), /not a readable ZIP/],
  [
    'with more content than its directory declares',
    zip({ name: 'manifest.csv', content: bomb, size: 100 }, { name: 'users.csv', content: '' }),
    /not a readable ZIP/,
  ],
  ['that is a workbook', zip({ name: '[Content_Types].xml', content: '' }), /archive of “\[content_types\].xml”/],
  [
    'with changes only',
    oneRoster({ 'users.csv': users, 'manifest.csv': 'propertyName,value\noneroster.version,1.1\nfile.users,delta' }),
    /“delta”; only complete/,
  ],
])('an archive %s is refused', async (_, archive, message) => {
  const response = await sendRoster(app, admin, archive).expect(400);
  expect(response.body.error.details[0].message).toMatch(message);
});

test('no extracted file remains', async () => {
  const left = async () => (await readdir(app.container.config.incomingDir)).filter((name) => name.endsWith('.part'));
  await expect.poll(left).toEqual([]); // the upload is removed after the response
});
