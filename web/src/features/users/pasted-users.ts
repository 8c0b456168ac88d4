export const mostUsers = 200;
const separators = /[\t,;，；、]/;
const username = /^[A-Za-z0-9_.-]{3,32}$/;

/** The role is that of students. */
export type UserOfMany = { username: string; email: string; display_name: string };
export type PastedUser = UserOfMany & { line: number; objection?: 'no_email' | 'no_username' };

/**
 * Users from lines of text, such as rows of a spreadsheet. The part with an @ is the e-mail address; of two others the first
 * is the name, the second the username. A single other part is the username if it could be one that stands in the address.
 */
export function readUsers(text: string): PastedUser[] {
  return text
    .split(/\r?\n/)
    .map((row, index) => ({
      parts: row
        .split(separators)
        .map((part) => part.trim())
        .filter(Boolean),
      line: index + 1,
    }))
    .filter(({ parts }) => parts.length > 0)
    .map(({ parts, line }) => {
      const email = parts.find((part) => part.includes('@')) ?? '';
      const [first = '', second] = parts.filter((part) => part !== email);
      const fromEmail = email.replace(/@.*/, '').replace(/[^A-Za-z0-9_.-]/g, '');
      const isSwapped = second !== undefined && !username.test(second) && username.test(first);
      const [display_name, chosen] = isSwapped ? [second, first] : [first, second ?? fromEmail];
      const objection = email === '' ? 'no_email' : username.test(chosen) ? undefined : 'no_username';
      return { line, email, display_name, username: chosen, ...(objection !== undefined && { objection }) };
    });
}
