import { idParams, paginate } from '../../http/fields.ts';
import { type Operation, operation } from '../../http/operation.ts';
import {
  createUserBody,
  listUsersQuery,
  resetPasswordBody,
  updateUserBody,
  user,
  userPage,
  userWithPassword,
} from './user-schemas.ts';
import type { UserService } from './user-service.ts';

export function createUserRoutes(users: UserService): Operation[] {
  const base = { tag: 'Users', access: 'admin' } as const;
  const onOne = { ...base, params: idParams, errors: ['RESOURCE_NOT_FOUND'] } as const;
  const removing = { ...onOne, errors: ['RESOURCE_NOT_FOUND', 'LAST_ADMIN'] } as const;

  return [
    operation({
      ...base,
      method: 'get',
      path: '/api/admin/users',
      id: 'listUsers',
      summary: 'List users',
      description: 'Newest first. Deleted ones are not shown.',
      query: listUsersQuery,
      data: userPage,
      handler: async ({ query }) => {
        const { users: page, total } = await users.list(query);
        return { data: { users: page, pagination: paginate(query.page, query.limit, total) } };
      },
    }),

    operation({
      ...base,
      method: 'post',
      path: '/api/admin/users',
      id: 'createUser',
      summary: 'Create a user',
      description:
        'Without a password a one-time password is made, and returned this once: not again for the same Idempotency-Key. Can answer a contact request about account_registration in the same step.',
      body: createUserBody,
      data: userWithPassword,
      status: 201,
      message: 'user_created',
      errors: ['RESOURCE_NOT_FOUND'],
      secrets: ['one_time_password'],
      idempotent: true,
      handler: async ({ actor, body, once }) => {
        const account = await users.prepare(actor, body);
        return once(async (db) => {
          const created = await users.create(db, actor, account);
          return {
            data: created,
            location: `/api/admin/users/${created.id}`,
          };
        });
      },
    }),

    operation({
      ...onOne,
      method: 'get',
      path: '/api/admin/users/:id',
      id: 'getUser',
      summary: 'Read one user',
      description: 'An account, without anything secret.',
      data: user,
      handler: async ({ params }) => ({ data: await users.get(params.id) }),
    }),

    operation({
      ...removing,
      method: 'put',
      path: '/api/admin/users/:id',
      id: 'updateUser',
      summary: 'Update a user',
      description: 'Every field is optional. Role and status take effect with the next request of the user.',
      body: updateUserBody,
      data: user,
      message: 'user_updated',
      guard: ({ params }) => users.get(params.id),
      handler: async ({ actor, params, body }) => ({ data: await users.update(actor, params.id, body) }),
    }),

    operation({
      ...removing,
      method: 'delete',
      path: '/api/admin/users/:id',
      id: 'deleteUser',
      summary: 'Delete a user',
      description:
        'Assignments and sign-ins go, a running timer ends. Study records stay with an anonymous user, owned projects with the administrators.',
      message: 'user_deleted',
      handler: async ({ actor, params }) => {
        await users.remove(actor, params.id);
        return {};
      },
    }),

    operation({
      ...onOne,
      method: 'post',
      path: '/api/admin/users/:id/reset-password',
      id: 'resetPassword',
      summary: "Reset a user's password",
      description:
        'Ends all sign-ins of the user. Without a password a one-time password is made, and returned this once. Can answer a contact request about password_reset in the same step.',
      body: resetPasswordBody,
      data: userWithPassword,
      message: 'password_reset_done',
      secrets: ['one_time_password'],
      errors: ['RESOURCE_NOT_FOUND', 'CONFLICT'],
      guard: ({ params }) => users.get(params.id),
      handler: async ({ actor, params, body }) => ({ data: await users.resetPassword(actor, params.id, body) }),
    }),
  ];
}
