import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ValidationError } from '../../errors.ts';
import { projectRoot } from '../../lib/project-root.ts';

const lines = readFileSync(join(projectRoot, 'assets', 'common-passwords.txt'), 'utf8').split('\n');
const common = new Set(lines.filter((line) => line !== '' && !line.startsWith('# ')));

export function isCommonPassword(password: string): boolean {
  return common.has(password.toLowerCase());
}

type Names = { username: string; email: string };

/** Whether it contains the username or is the local part of the e-mail address, and is thus easily guessed. */
export function containsName(password: string, { username, email }: Names): boolean {
  const lower = password.toLowerCase();
  return lower.includes(username.toLowerCase()) || lower === email.toLowerCase().replace(/@.*$/, '');
}

export function assertWithoutName(field: string, password: string, names: Names): void {
  if (containsName(password, names)) throw ValidationError.of(field, 'password_contains_name');
}
