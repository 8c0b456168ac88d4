import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { rosterLayout } from '../../../../src/features/school/roster/file/roster-columns.ts';
import { readRosterCsv } from '../../../../src/features/school/roster/file/roster-csv.ts';

const none = [] as const;
/** Headers of the exports of other systems, the fields that are read in the order of the columns, and the columns that are not. */
test.each<[string, string, readonly string[], readonly string[]]>([
  [
    'Google Workspace',
    'First Name [Required],Last Name [Required],Email Address [Required],Password [Required],Org Unit Path [Required],Employee ID',
    ['first_name', 'last_name', 'email', 'external_id'],
    ['Password [Required]', 'Org Unit Path [Required]'],
  ],
  [
    'Entra, list of users',
    'userPrincipalName,displayName,surname,mail,givenName,objectId,userType,department',
    ['username', 'display_name', 'last_name', 'email', 'first_name', 'external_id'],
    ['userType', 'department'],
  ],
  [
    'Entra, template',
    'Name [displayName] Required,User name [userPrincipalName] Required,Initial password [passwordProfile] Required,First name [givenName],Last name [surname]',
    ['display_name', 'username', 'first_name', 'last_name'],
    ['Initial password [passwordProfile] Required'],
  ],
  [
    'Active Directory',
    'UserPrincipalName,SamAccountName,GivenName,Surname,EmailAddress',
    ['username', 'first_name', 'last_name', 'email'],
    ['SamAccountName'],
  ],
  [
    'Moodle',
    'username,firstname,lastname,email,idnumber,institution,cohort1,cohort2',
    ['username', 'first_name', 'last_name', 'email', 'external_id', 'group', 'group'],
    ['institution'],
  ],
  [
    'Moodle, grades',
    'First name,Last name,ID number,Email address',
    ['first_name', 'last_name', 'external_id', 'email'],
    none,
  ],
  [
    'ASV',
    'Familienname,Rufname,Klasse,Jahrgangsstufe,E-Mail',
    ['last_name', 'first_name', 'group', 'email'],
    ['Jahrgangsstufe'],
  ],
  [
    'a German table',
    'Schülernummer,Name,Vorname,Jahrgang,Klasse',
    ['external_id', 'last_name', 'first_name', 'group'],
    ['Jahrgang'],
  ],
  [
    'PowerSchool',
    'Student_Number,Last_Name,First_Name,Grade_Level,Home_Room,Student_Email',
    ['external_id', 'last_name', 'first_name', 'group', 'email'],
    ['Grade_Level'],
  ],
  ['names in one word', 'studentID,FullName,ClassName', ['external_id', 'display_name', 'group'], none],
  ['a Chinese table', '学号,姓名,班级,性别', ['external_id', 'display_name', 'group'], ['性别']],
  ['a Chinese table with a short class', '学号,姓名,班', ['external_id', 'display_name', 'group'], none],
  ['classes that need their year', '学号,姓名,年级,班', ['external_id', 'display_name'], ['年级', '班']],
  ['a column twice', 'email,name,email,name', ['email', 'display_name'], ['email', 'name']],
  ['two names of one field', 'email,学号,学籍号,mail', ['email', 'external_id'], ['学籍号', 'mail']],
])('the columns of %s are read or told', (_name, header, fields, unread) => {
  const layout = rosterLayout(header.split(','));
  const byColumn = Object.entries(layout?.at ?? {}).flatMap(([field, at]) =>
    at.map((index) => [index, field] as const),
  );
  expect(byColumn.toSorted(([a], [b]) => a - b).map(([, field]) => field)).toEqual(fields);
  expect(layout?.columns.unread).toEqual(unread);
});

const table =
  'version:v1.0\r\n用户名;姓名;邮箱;班级;;\r\nlin@school.example;Lin Wei;lin@school.example;"3班\n合唱团";;x\r\n';
test.each([
  ['UTF-8 with a mark', Buffer.from(`\u{feff}${table}`)],
  ['UTF-16', Buffer.from(`\u{feff}${table}`, 'utf16le')],
  ['UTF-16, the other order', Buffer.from(`\u{feff}${table}`, 'utf16le').swap16()],
])('a table in %s with semicolons, groups in two lines and a column without a name', async (_name, content) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'roster-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = path.join(folder, 'roster.csv');
  await writeFile(file, content);
  const { rows, errors, columns } = await readRosterCsv(file);
  expect(errors).toEqual([]);
  expect(columns.unread).toEqual(['(F)']);
  const person = { username: 'lin', email: 'lin@school.example', group_names: ['3班', '合唱团'] };
  expect(rows).toMatchObject([{ ...person, display_name: 'Lin Wei' }]);
});
