import { z } from 'zod';
import { text } from '../../http/validation/fields.ts';
import { isCommonPassword } from './password-rules.ts';

/** As it was typed, except for its Unicode form: never trimmed or cut. */
export function password({ min = 8 } = {}) {
  return text({ min, max: 128, trimmed: false }).meta({ format: 'password', example: 'a long and good password' });
}

/** A password that is to be set. That it does not contain the names of its account is checked where they are known. */
export function newPassword() {
  return password().refine((value) => !isCommonPassword(value), { error: 'common_password' });
}

export const changePasswordBody = z.object({ current_password: password({ min: 1 }), new_password: newPassword() });
