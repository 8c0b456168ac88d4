import { z } from 'zod';
import { text } from '../../http/fields.ts';
import { isCommonPassword } from './password-rules.ts';

/** Only its Unicode form is normalised; it is never trimmed or truncated. */
export function password({ min = 8 } = {}) {
  return text({ min, max: 128, trimmed: false }).meta({ format: 'password', example: 'a long and good password' });
}

/** A new password. Whether it contains names of its account is checked where these are known. */
export function newPassword() {
  return password().refine((value) => !isCommonPassword(value), { error: 'common_password' });
}

export const changePasswordBody = z.object({ current_password: password({ min: 1 }), new_password: newPassword() });
