import { Readable } from 'node:stream';
import type { z } from 'zod';
import { type Operation, operation } from '../../../../http/operation.ts';
import type { ReplyStream } from '../../../../http/reply.ts';
import { type Locale, translate } from '../../../../texts/index.ts';
import { createdUsers, createUsersBody } from './bulk-user-schemas.ts';
import { type BulkUserService, type CreatedRow, passwordList, passwordListPolicy } from './bulk-user-service.ts';

export type BulkUserRoutesOptions = { bulkUsers: BulkUserService; publicUrl: string | undefined };

export function createBulkUserRoutes({ bulkUsers, publicUrl }: BulkUserRoutesOptions): Operation[] {
  return [
    operation({
      tag: 'Users',
      access: 'admin',
      scoped: true,
      method: 'post',
      path: '/api/admin/users/bulk',
      id: 'createUsers',
      summary: 'Create many users with one-time passwords',
      description:
        'Creates the rows whose names are available and reports errors for the others. An invalid row rejects the request. ' +
        'With `Accept: text/html`, the response is a printable list of the names and passwords.',
      body: createUsersBody,
      data: createdUsers,
      produces: ['text/html'],
      secrets: ['one_time_passwords'],
      idempotent: true,
      cost: 'accounts',
      prepare: ({ actor, body }) => bulkUsers.prepare(actor, body),
      handler: async ({ actor, body, prepared, request, store }) => {
        const rows = await bulkUsers.create(store, actor, prepared, body.group_ids);
        const done = rows.filter((row) => row.user_id !== null).length;
        const failed = rows.length - done;
        const key = failed > 0 ? 'users_partly_created' : 'users_created';
        const isPrinted = /^\s*text\/html/i.test(request.header('accept') ?? '');
        return {
          data: toCreatedUsersResponse(rows, request.locale),
          message: { key, params: { done, failed } },
          // A repetition has no passwords to print.
          sendInstead: isPrinted ? printable(rows, request.locale, publicUrl) : undefined,
        };
      },
    }),
  ];
}

function printable(rows: readonly CreatedRow[], locale: Locale, publicUrl: string | undefined): ReplyStream {
  return {
    stream: Readable.from(passwordList(rows, locale, publicUrl)),
    contentType: 'text/html; charset=utf-8',
    headers: { 'Cache-Control': 'no-store', 'Content-Security-Policy': passwordListPolicy },
  };
}

function toCreatedUsersResponse(rows: readonly CreatedRow[], locale: Locale): z.input<typeof createdUsers> {
  const created = rows.filter((row) => row.user_id !== null).length;
  return {
    created_count: created,
    failed_count: rows.length - created,
    results: rows.map(({ username, user_id, errors }, index) => ({
      index,
      username,
      user_id,
      errors: errors.map(({ field, message }) => ({ field, message: translate(message, locale) })),
    })),
    one_time_passwords: rows.flatMap(({ user_id, username, display_name, one_time_password }) =>
      user_id === null || one_time_password === undefined
        ? []
        : [{ user_id, username, display_name, one_time_password }],
    ),
  };
}
