import { z } from 'zod';
import {
  email,
  id,
  idText,
  itemEtag,
  pageQuery,
  pagination,
  text,
  timestamp,
  timeZone,
} from '../../http/validation/fields.ts';
import { accountLinkFields } from '../account-links/account-link-schemas.ts';
import { containsName } from '../passwords/password-rules.ts';
import { newPassword } from '../passwords/password-schemas.ts';

export const roles = ['admin', 'user'] as const;
export const userStatuses = ['active', 'inactive'] as const;

const username = z
  .string()
  .overwrite((value) => value.trim())
  .regex(/^[A-Za-z0-9_.-]{3,32}$/, { error: 'invalid_username' })
  .refine((value) => !/^deleted-\d+$/i.test(value), { error: 'reserved_username' }) // what deleted accounts are called
  .meta({ description: 'Unique without regard to case.', example: 'lin', minLength: 3, maxLength: 32 });

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
/** A user as administrators see and change them. */
export const managedUser = user
  .extend({
    has_password: z.boolean().meta({ description: 'False until an invited user chooses one.', example: true }),
    etag: itemEtag,
  })
  .meta({ id: 'ManagedUser' });
export const userWithPassword = managedUser
  .extend({
    one_time_password: z
      .string()
      .optional()
      .meta({ description: 'Shown this once, when the service chose the password.', example: 'xK4-vw9R-pq2M' }),
  })
  .meta({ id: 'UserWithPassword' });
export const createdUser = userWithPassword
  .extend(z.object(accountLinkFields).partial().shape)
  .meta({ id: 'CreatedUser', description: 'The fields of the link are those of an invitation.' });

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
  group_id: idText.optional().meta({ description: 'Members of this group.' }),
});
export type ListUsersQuery = z.output<typeof listUsersQuery>;

export const userPage = z.object({ users: z.array(managedUser), pagination });

const contactRequestId = id
  .optional()
  .meta({ description: 'The open contact request that asked for this; it is resolved and linked with the account.' });

const chosenByService =
  'Chosen by the service and returned once when left out; it can be used for 7 days, and must be changed first.';

export const accountFields = {
  username,
  email,
  display_name: displayName.optional().meta({ description: 'The username when left out.' }),
  role: z.enum(roles).default('user'),
  status: z.enum(userStatuses).default('active'),
  timezone: timeZone.optional().meta({ description: 'UTC until somebody chooses one.' }),
};

export const createUserBody = z
  .object({
    ...accountFields,
    password: newPassword().optional().meta({ description: chosenByService }),
    contact_request_id: contactRequestId,
    invite: z.boolean().optional().meta({
      description: 'Instead of a password: mails a link, valid for 72 hours, with which the user chooses one.',
    }),
  })
  .superRefine((account, context) => {
    if (account.invite === true && (account.password !== undefined || account.status !== 'active'))
      context.addIssue({ code: 'custom', message: 'invitation_not_possible', path: ['invite'] });
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
