import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { text } from '../../../http/fields.ts';
import { projectRoot } from '../../../project-root.ts';
import { ValidationError } from '../../../texts/errors.ts';

const lines = readFileSync(join(projectRoot, 'assets', 'common-passwords.txt'), 'utf8').split('\n');
const common = new Set(lines.filter((line) => line !== '' && !line.startsWith('# ')));

/** As it is guessed: full-width letters, as a Chinese keyboard writes them, are the same. */
const folded = (text: string): string => text.normalize('NFKC').toLowerCase();

function isCommonPassword(password: string): boolean {
  return common.has(folded(password));
}

type Names = { username: string; email: string };

/** Whether it contains the username or is the local part of the e-mail address, and is thus easily guessed. */
export function containsName(password: string, { username, email }: Names): boolean {
  const guessed = folded(password);
  return guessed.includes(folded(username)) || guessed === folded(email).replace(/@.*$/, '');
}

export function assertWithoutName(field: string, password: string, names: Names): void {
  if (containsName(password, names)) throw ValidationError.of(field, 'password_contains_name');
}

/** Only its Unicode form is normalised; it is never trimmed or truncated. */
export function password({ min = 8 } = {}) {
  return text({ min, max: 128, trimmed: false }).meta({ format: 'password', example: 'a long and good password' });
}

/** Of the signed-in user, to confirm. */
export const confirmingPassword = password({ min: 1 }).exactOptional().meta({
  description: 'Required if the account has one; without a password, the sign-in must be at most ten minutes old.',
});

/** A new password. Whether it contains names of its account is checked where these are known. */
export function newPassword() {
  return password().refine((value) => !isCommonPassword(value), { error: 'common_password' });
}

export const changePasswordBody = z.object({ current_password: password({ min: 1 }), new_password: newPassword() });
