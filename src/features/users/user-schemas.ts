import { z } from 'zod';
import { email, id, pageQuery, pagination, text, timestamp, timeZone } from '../../http/fields.ts';
import { containsName, isCommonPassword } from '../auth/password-rules.ts';

const roles = ['admin', 'user'] as const;
const userStatuses = ['active', 'inactive'] as const;

/** As it was typed, but for its Unicode form: never trimmed or cut. */
export function password({ min = 8 } = {}) {
  return text({ min, max: 128, trimmed: false }).meta({ format: 'password', example: 'a long and good password' });
}

/** A password that is to be set. That it does not contain the names of its account is checked where they are known. */
export function newPassword() {
  return password().refine((value) => !isCommonPassword(value), { error: 'common_password' });
}

const username = z
  .string()
  .overwrite((value) => value.trim())
  .regex(/^[A-Za-z0-9_.-]{3,32}$/, { error: 'invalid_username' })
  .refine((value) => !/^deleted-\d+$/i.test(value), { error: 'reserved_username' }) // what deleted accounts are called
  .meta({ description: 'Unique without regard to case.', example: 'lin' });

export const displayName = text({ min: 1, max: 50 }).meta({ example: 'Lin Wei' });

export const user = z
  .object({
    id: id.meta({ example: 7 }),
    username: z.string().meta({ example: 'lin' }),
    email: z.string().meta({ example: 'lin@example.org' }),
    display_name: z.string().meta({ example: 'Lin Wei' }),
    role: z.enum(roles).meta({ example: 'user' }),
    status: z.enum(userStatuses),
    timezone: z.string().meta({ description: 'IANA name.', example: 'Asia/Shanghai' }),
    created_at: timestamp,
    updated_at: timestamp,
    last_login_at: timestamp.nullable(),
    must_change_password: z
      .boolean()
      .meta({ description: 'Whether the password was made by the service and must be changed first.', example: false }),
    totp_enabled: z.boolean().meta({ description: 'Whether signing in takes a second factor.', example: false }),
  })
  .meta({ id: 'User' });
export type User = z.output<typeof user>;

export const userWithPassword = user
  .extend({
    one_time_password: z
      .string()
      .optional()
      .meta({ description: 'Shown this once, when the service chose the password.', example: 'xK4-vw9R-pq2M' }),
  })
  .meta({ id: 'UserWithPassword' });

export const listUsersQuery = z.object({
  ...pageQuery,
  status: z
    .enum([...userStatuses, 'all'])
    .default('all')
    .meta({ description: 'Users in this state.' }),
  role: z
    .enum([...roles, 'all'])
    .default('all')
    .meta({ description: 'Users with this role.' }),
  search: text({ max: 100 })
    .default('')
    .meta({ description: 'Part of the username, the e-mail address or the display name, without regard to case.' }),
});
export type ListUsersQuery = z.output<typeof listUsersQuery>;

export const userPage = z.object({ users: z.array(user), pagination });

const contactRequestId = id
  .optional()
  .meta({ description: 'The open contact request that asked for this; it is resolved and linked with the account.' });

const chosenByService =
  'Chosen by the service and returned once when left out; it can be used for 7 days, and must be changed first.';

export const createUserBody = z
  .object({
    username,
    email,
    display_name: displayName.optional().meta({ description: 'The username when left out.' }),
    role: z.enum(roles).default('user'),
    status: z.enum(userStatuses).default('active'),
    timezone: timeZone.default('UTC'),
    password: newPassword().optional().meta({ description: chosenByService }),
    contact_request_id: contactRequestId,
  })
  .superRefine((account, context) => {
    if (account.password !== undefined && containsName(account.password, account))
      context.addIssue({ code: 'custom', message: 'password_contains_name', path: ['password'] });
  })
  .meta({
    example: { username: 'wang', email: 'wang@example.org', display_name: 'Wang Fang', timezone: 'Asia/Shanghai' },
  });
export type CreateUserInput = z.output<typeof createUserBody>;

export const updateUserBody = z
  .object({
    username: username.exactOptional(),
    email: email.exactOptional(),
    display_name: displayName.exactOptional(),
    role: z.enum(roles).exactOptional(),
    status: z.enum(userStatuses).exactOptional(),
    timezone: timeZone.exactOptional(),
  })
  .meta({ example: { display_name: 'Wang Fang', status: 'active' } });
export type UserPatch = z.output<typeof updateUserBody>;

export const resetPasswordBody = z
  .object({
    password: newPassword().optional().meta({ description: chosenByService }),
    contact_request_id: contactRequestId,
  })
  .meta({ example: { password: 'a long and good password' } });
export type ResetPasswordInput = z.output<typeof resetPasswordBody>;
