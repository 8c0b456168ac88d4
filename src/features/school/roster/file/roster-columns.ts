import { withoutGuard } from '../../../../lib/export/exporter.ts';
import { plainHeader } from '../../../study/session-import/file/column-names.ts';
import { excerpt } from '../../../study/session-import/file/layout.ts';

/** Headers are also compared without spaces and hyphens: `Student ID`, `student_id` and `studentId` are one name. */
const headerKey = (header: string) => plainHeader(header).replace(/[ -]+/g, '');
const list = (text: string): readonly string[] => text.trim().split(/,\s+/).map(headerKey);

/** What a roster reads from each row, with the headers of Moodle, Google, Entra, PowerSchool, ASV and of tables in English, Chinese, German and French. */
const names = {
  username:
    list(`username, login, login id, login name, account, samaccountname, user principal name, upn, benutzername, benutzerkennung,
    anmeldename, identifiant, 用户名, 账号, 登录名, 登录账号, 使用者名稱, 用戶名, 帳號, 登入名, 登入名稱`),
  email:
    list(`email, mail, email address, primary email, student email, e-mail-adresse, adresse e-mail, 邮箱, 邮箱地址, 电子邮箱, 电子邮件,
    电子邮件地址, 電子郵件, 電子郵件地址, 電子郵箱, 郵箱, 電子信箱, 電郵, 信箱`),
  display_name: list('display name, name, full name, student name, 姓名, 显示名称, 学生姓名, 顯示名稱, 學生姓名'),
  first_name: list('first name, given name, forename, vorname, vornamen, rufname, prénom, 名'),
  last_name: list('last name, surname, sn, family name, nachname, familienname, nom, nom de famille, 姓'),
  external_id:
    list(`external id, sourcedid, id number, student id, student number, employee id, sis id, sis user id, object id, matrikelnummer,
    schülernummer, schüler-id, 学号, 学籍号, 学生编号, 外部编号, 學號, 學籍號, 學生編號, 外部編號`),
  group:
    list(`group, groups, class, classes, class name, cohort, homeroom, klasse, klassenname, classe, 班, 班级, 分组, 小组, 班級, 分組,
    小組, 群組`),
};
/** Beside a column of years, a class such as `3` is one of several. */
const [shortClass, years] = ['班', list('年级, 年級')];
export type RosterColumn = keyof typeof names;
const columnNames = Object.keys(names) as RosterColumn[];
const identifying: readonly RosterColumn[] = ['external_id', 'email', 'username'];

/** Which columns of a file are read, and the headers of those that are not. */
export type RosterColumns = { read: { field: RosterColumn; column: string }[]; unread: string[] };
export type RosterLayout = { at: Partial<Record<RosterColumn, readonly number[]>>; columns: RosterColumns };

/** The columns of a header; undefined if none tells accounts apart. Moodle has the groups in `cohort1`, `cohort2` and so on. */
export function rosterLayout(header: readonly string[]): RosterLayout | undefined {
  const titles = header.map((cell) => withoutGuard(cell).trim());
  const fieldOf = (title: string) => {
    const key = headerKey(title.replace(/ *\[[^\]]*\]( Required)?$/, '').replace(/^(cohort) ?\d+$/i, '$1'));
    return key === shortClass && hasYears ? undefined : columnNames.find((field) => names[field].includes(key));
  };
  const hasYears = titles.some((title) => years.includes(headerKey(title)));
  const at: Record<string, number[]> = {};
  for (const [index, title] of titles.entries()) {
    const field = fieldOf(title);
    // Of two columns for the same field, the first one is read; groups may have several.
    if (field !== undefined && (field === 'group' || at[field] === undefined))
      at[field] = [...(at[field] ?? []), index];
  }
  // In German tables `Name` beside `Vorname` is the family name.
  const name = titles.findIndex((title) => headerKey(title) === 'name');
  const isGerman = titles.some((title) => ['vorname', 'vornamen', 'rufname'].includes(headerKey(title)));
  if (isGerman && at['last_name'] === undefined && at['display_name']?.[0] === name) {
    at['last_name'] = [name];
    delete at['display_name'];
  }
  // Half a name is none.
  if (at['first_name'] === undefined || at['last_name'] === undefined) {
    delete at['first_name'];
    delete at['last_name'];
  }
  const layout: RosterLayout['at'] = at;
  if (!identifying.some((field) => layout[field] !== undefined)) return undefined;
  const used = new Set(Object.values(at).flat());
  const read = columnNames.flatMap((field) =>
    (layout[field] ?? []).map((index) => ({ field, column: excerpt(titles[index] ?? '', 200) })),
  );
  const unread = titles.filter((title, index) => title !== '' && !used.has(index)).map((title) => excerpt(title, 200));
  return { at: layout, columns: { read, unread } };
}
