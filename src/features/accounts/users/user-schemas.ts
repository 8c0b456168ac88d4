import { z } from 'zod';
import { roles, userStatuses } from '../../../actor.ts';
import { email, id, idText, pageQuery, text } from '../../../http/fields.ts';
import { oneTimeZone, timeZone, timeZoneNames } from '../../../http/time-fields.ts';
import { adminScopes } from '../admin-scope/admin-scope.ts';
import { containsName, newPassword } from '../passwords/password-schemas.ts';

const maxAdminGroups = 100;

export const adminScope = z.enum(adminScopes).meta({
  id: 'AdminScope',
  description: 'Of administrators: the whole school, or only the groups in `admin_group_ids`, with their members.',
  example: 'groups',
});
export const adminGroupIds = z
  .array(id)
  .max(maxAdminGroups)
  .meta({ example: [3] });

const username = z
  .string()
  .overwrite((value) => value.trim())
  .regex(/^[A-Za-z0-9_.-]{3,32}$/, { error: 'invalid_username' })
  .refine((value) => !/^deleted-\d+$/i.test(value), { error: 'reserved_username' }) // the names of deleted accounts
  .meta({ description: 'Unique, ignoring case.', example: 'lin', minLength: 3, maxLength: 32 });

export const displayName = text({ min: 1, max: 50 }).meta({ example: 'Lin Wei' });

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
    .meta({ description: 'Part of the username, the e-mail address or the display name, ignoring case.' }),
  group_id: idText.optional().meta({ description: 'Members of this group.' }),
});
export type ListUsersQuery = z.output<typeof listUsersQuery>;

const contactRequestId = id
  .optional()
  .meta({ description: 'The unresolved contact request for this; it is resolved and linked to the account.' });

const chosenByService =
  'If omitted, a password is generated and returned once; it is valid for 7 days and must be changed first.';

export const accountFields = {
  username,
  email,
  display_name: displayName.optional().meta({ description: 'Defaults to the username.' }),
  role: z.enum(roles).default('user'),
  status: z.enum(userStatuses).default('active'),
  ...timeZoneNames(
    timeZone.optional().meta({ description: 'Defaults to that of the administrator until the owner chooses one.' }),
  ),
};

export const newMemberOf = z
  .array(id)
  .max(20)
  .default([])
  .meta({
    description:
      'Groups that the new account joins, for ordinary users. Required for administrators who are limited to groups, who can only name theirs.',
    example: [3],
  });

export const createUserBody = z
  .object({
    ...accountFields,
    password: newPassword().optional().meta({ description: chosenByService }),
    contact_request_id: contactRequestId,
    admin_scope: adminScope.default('all'),
    admin_group_ids: adminGroupIds.default([]).meta({ description: 'With `admin_scope: groups`.' }),
    group_ids: newMemberOf,
    invite: z.boolean().optional().meta({
      description: 'Instead of setting a password, mails a link for choosing one, valid for 72 hours.',
    }),
  })
  .superRefine((account, context) => {
    if (account.invite === true && (account.password !== undefined || account.status !== 'active'))
      context.addIssue({ code: 'custom', message: 'invitation_not_possible', path: ['invite'] });
    if (account.password !== undefined && containsName(account.password, account))
      context.addIssue({ code: 'custom', message: 'password_contains_name', path: ['password'] });
  })
  .transform(oneTimeZone)
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
    admin_scope: adminScope.exactOptional(),
    admin_group_ids: adminGroupIds.exactOptional().meta({ description: 'The complete new list; may be empty.' }),
    ...timeZoneNames(timeZone.exactOptional()),
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
