import { ValidationError } from '../../../errors.ts';
import { withoutGuard } from '../../../lib/export/exporter.ts';
import { plainHeader } from '../../session-import/file/column-names.ts';
import { maxHeaderRows, readRecords } from '../../session-import/file/import-reader.ts';
import { excerpt } from '../../session-import/file/layout.ts';
import { createRosterRows, type RosterField, type RosterFile } from './roster-row.ts';

/** Rows of a roster: accounts of a school district. */
export const maxRosterRows = 50_000;

const names: Record<RosterField, readonly string[]> = {
  username: [
    ...['username', 'user name', 'login', 'account', '用户名', '账号', '登录名'],
    ...['使用者名稱', '用戶名', '帳號', '登入名', '登入名稱'],
  ],
  email: [
    ...['email', 'e-mail', 'mail', 'email address', '邮箱', '邮箱地址', '电子邮箱', '电子邮件', '电子邮件地址'],
    ...['電子郵件', '電子郵件地址', '電子信箱', '電郵', '信箱'],
  ],
  display_name: [
    ...['display name', 'name', 'full name', 'student name', '姓名', '显示名称', '学生姓名'],
    ...['顯示名稱', '學生姓名'],
  ],
  external_id: [
    ...['external id', 'sourcedid', 'student id', 'student number', '学号', '学籍号', '外部编号'],
    ...['學號', '學籍號', '外部編號'],
  ],
  group: ['group', 'groups', 'class', 'classes', '班级', '分组', '小组', '班級', '分組', '小組', '群組'],
};
const fields = Object.keys(names) as RosterField[];
const identifying: readonly RosterField[] = ['external_id', 'email', 'username'];

type Columns = Partial<Record<RosterField, number>>;

function columnsOf(header: readonly string[]): Columns | undefined {
  const plain = header.map((cell) => plainHeader(withoutGuard(cell)));
  const columns: Columns = {};
  for (const field of fields) {
    const index = plain.findIndex((name) => names[field].includes(name));
    if (index >= 0) columns[field] = index;
  }
  return identifying.some((field) => columns[field] !== undefined) ? columns : undefined;
}

const separators = /[;；|]/;

/** Reads a table with the columns username, email, display_name, external_id and group. Throws ValidationError for any other. */
export async function readRosterCsv(path: string): Promise<RosterFile> {
  const rows = createRosterRows('csv');
  let columns: Columns | undefined;
  const first: string[] = [];
  for await (const { row, cells } of readRecords(path, maxRosterRows)) {
    if (cells === undefined) {
      rows.fail('', row, 'file', 'import_row_too_long');
    } else if (columns === undefined) {
      columns = columnsOf(cells);
      if (first.length === 0) first.push(...cells);
      if (columns === undefined && row > maxHeaderRows) break;
    } else {
      const cell = (field: RosterField) => withoutGuard(cells[columns?.[field] ?? -1] ?? '');
      const given = { username: cell('username'), email: cell('email'), display_name: cell('display_name') };
      const groups = columns.group === undefined ? null : cell('group').split(separators);
      rows.add('', row, { ...given, external_id: cell('external_id') }, groups);
    }
  }
  if (columns === undefined) {
    const found = excerpt(
      first
        .map((name) => name.trim())
        .filter(Boolean)
        .join(', '),
      200,
    );
    throw found === ''
      ? ValidationError.of('file', 'import_empty')
      : ValidationError.of('file', 'roster_columns', { found });
  }
  return rows.found;
}
