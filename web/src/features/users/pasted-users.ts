export const maxUsers = 200;
/** Also those of `Name <address>`; a quoted part may contain them. */
const part = /"(?:[^"]|"")*"|[^,;，；、<>]+/g;
const username = /^[A-Za-z0-9_.-]{3,32}$/;

/** A new user with the role of students. */
export type BulkUser = { username: string; email: string; display_name: string };
export type PastedUser = BulkUser & { line: number; problem?: 'no_email' | 'no_username' | 'repeated' | 'taken' };

/** Words of a heading row, in the languages of school lists. */
const headings =
  /^(姓名|名字|学生姓名|學生姓名|邮箱|郵箱|电子邮件|電子郵件|邮件|用户名|使用者名稱|账号|帳號|学号|學號|班级|班級|序号|序號|(full |display |first |last |user ?)?name|student|e-?mail( address)?|account|login|class|id|no\.?)$/i;

/** Whether the first line of a list names its columns. */
const isHeading = (parts: readonly string[]): boolean =>
  parts.length > 1 && parts.every((text) => !text.includes('@')) && parts.some((text) => headings.test(text));

/** The parts of a line; one with tabs comes from a spreadsheet, whose cells may contain other separators. */
function partsOf(row: string): string[] {
  const parts = row.includes('\t') ? row.split(/[\t<>]/) : (row.match(part) ?? []);
  return parts
    .map((text) =>
      text
        .trim()
        .replace(/^"(.*)"$/, '$1')
        .replaceAll('""', '"'),
    )
    .filter(Boolean);
}

/**
 * Users from lines of text, such as rows of a spreadsheet. The part with an @ is the e-mail address; of two others the
 * first is the name, the second the username, or the reverse if only that is valid. Without a second one, the username
 * comes from the address. A first line that names the columns is left out; a line that repeats an earlier one, or is an account already, is marked.
 */
export function readUsers(text: string, isTaken: (text: string) => boolean = () => false): PastedUser[] {
  const seen = new Set<string>();
  return text
    .split(/\r?\n/)
    .map((row, index) => ({ parts: partsOf(row), line: index + 1 }))
    .filter(({ parts }) => parts.length > 0)
    .filter(({ parts }, index) => index > 0 || !isHeading(parts))
    .map(({ parts, line }) => {
      const email = parts.find((part) => part.includes('@')) ?? '';
      const [first = '', second] = parts.filter((part) => part !== email);
      const fromEmail = email.replace(/@.*/, '').replace(/[^A-Za-z0-9_.-]/g, '');
      const isSwapped = second !== undefined && !username.test(second) && username.test(first);
      const [display_name, chosen] = isSwapped ? [second, first] : [first, second ?? fromEmail];
      const keys = [email, chosen].map((key) => key.toLowerCase());
      const problem =
        email === ''
          ? 'no_email'
          : !username.test(chosen)
            ? 'no_username'
            : keys.some((key) => seen.has(key))
              ? 'repeated'
              : keys.some(isTaken)
                ? 'taken'
                : undefined;
      for (const key of keys) seen.add(key);
      return { line, email, display_name, username: chosen, ...(problem !== undefined && { problem }) };
    });
}
