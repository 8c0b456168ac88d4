import type { Actor } from '../../../actor.ts';
import { idParams, paginate } from '../../../http/fields.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import { contentVersionTag } from '../../../http/reply.ts';
import type { Locale } from '../../../texts/index.ts';
import type { UserRow } from './user-repository.ts';
import {
  createdUser,
  managedUser,
  toCreatedUserResponse,
  toManagedUserResponse,
  toUserWithPasswordResponse,
  userPage,
  userWithPassword,
} from './user-responses.ts';
import { createUserBody, listUsersQuery, resetPasswordBody, updateUserBody } from './user-schemas.ts';
import type { UserService } from './user-service.ts';

type Options = { users: UserService; removal: { remove(actor: Actor, id: number): Promise<void> } };

/** A sign-in changes the response but not the row version. */
function replyWith(row: UserRow, locale: Locale) {
  const data = toManagedUserResponse(row);
  return { data, etag: contentVersionTag(row.row_version, data, locale) };
}

export function createUserRoutes({ users, removal }: Options): Operation[] {
  const base = { tag: 'Users', access: 'admin', scoped: true } as const;
  const onOne = { ...base, params: idParams, errors: ['RESOURCE_NOT_FOUND'] } as const;
  const changing = { ...onOne, errors: ['RESOURCE_NOT_FOUND', 'LAST_ADMIN'] } as const;

  return [
    operation({
      ...base,
      method: 'get',
      path: '/api/admin/users',
      id: 'listUsers',
      summary: 'List users',
      description: 'Newest first, without deleted users.',
      query: listUsersQuery,
      data: userPage,
      handler: async ({ actor, query }) => {
        const { users: page, total } = await users.list(actor, query);
        return {
          data: { users: page.map(toManagedUserResponse), pagination: paginate(query.page, query.limit, total) },
        };
      },
    }),

    operation({
      ...base,
      method: 'post',
      path: '/api/admin/users',
      id: 'createUser',
      summary: 'Create a user',
      description:
        'Without a password, a one-time password is generated and returned only once; it is omitted when the `Idempotency-Key` is repeated. With `invite`, no password is set: a link for choosing one is mailed or, without a mail server, returned only once. Can also resolve a contact request with the subject account_registration.',
      body: createUserBody,
      data: createdUser,
      status: 201,
      message: 'user_created',
      errors: ['RESOURCE_NOT_FOUND'],
      secrets: ['one_time_password', 'link'],
      idempotent: true,
      prepare: ({ actor, body }) => users.prepare(actor, body),
      handler: async ({ actor, prepared, store }) => {
        const created = await users.create(store, actor, prepared);
        return { data: toCreatedUserResponse(created), location: `/api/admin/users/${created.user.id}` };
      },
    }),

    operation({
      ...onOne,
      method: 'get',
      path: '/api/admin/users/:id',
      id: 'getUser',
      summary: 'Get a user',
      description: 'An account, without secrets.',
      data: managedUser,
      handler: async ({ actor, params, request }) => replyWith(await users.get(actor, params.id), request.locale),
    }),

    operation({
      ...changing,
      method: 'put',
      path: '/api/admin/users/:id',
      id: 'updateUser',
      summary: 'Update a user',
      description: "Every field is optional. Role and status take effect with the user's next request.",
      conditional: true,
      body: updateUserBody,
      data: managedUser,
      message: 'user_updated',
      guard: ({ actor, params }) => users.get(actor, params.id),
      handler: async ({ actor, params, body, expectedVersion, request }) =>
        replyWith(await users.update(actor, params.id, body, expectedVersion), request.locale),
    }),

    operation({
      tag: 'Users',
      access: 'admin',
      params: idParams,
      errors: ['RESOURCE_NOT_FOUND', 'LAST_ADMIN'],
      method: 'delete',
      path: '/api/admin/users/:id',
      id: 'deleteUser',
      summary: 'Delete a user',
      description:
        'Deletes assignments and sign-ins and stops a running timer. Study records remain under an anonymous user, and owned projects remain for the administrators.',
      message: 'user_deleted',
      handler: async ({ actor, params }) => {
        await removal.remove(actor, params.id);
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
        'Ends all sign-ins of the user. Without a password, a one-time password is generated and returned only once. Can also resolve a contact request with the subject password_reset.',
      body: resetPasswordBody,
      data: userWithPassword,
      message: 'password_reset_done',
      secrets: ['one_time_password'],
      errors: ['RESOURCE_NOT_FOUND', 'CONFLICT'],
      guard: ({ actor, params }) => users.get(actor, params.id),
      handler: async ({ actor, params, body }) => ({
        data: toUserWithPasswordResponse(await users.resetPassword(actor, params.id, body)),
      }),
    }),
  ];
}
