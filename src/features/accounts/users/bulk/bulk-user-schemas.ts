import { z } from 'zod';
import { id } from '../../../../http/fields.ts';
import { oneTimeZone } from '../../../../http/time-fields.ts';
import { accountFields, newMemberOf } from '../user-schemas.ts';

export const createUsersBody = z
  .object({
    users: z
      .array(z.object(accountFields).transform(oneTimeZone))
      .min(1)
      .max(200)
      .meta({ description: 'At most 200. If a name occurs twice, the second row is rejected.' }),
    group_ids: newMemberOf,
  })
  .meta({
    example: {
      users: [
        { username: 'wang', email: 'wang@example.org', display_name: 'Wang Fang', timezone: 'Asia/Shanghai' },
        { username: 'zhao', email: 'zhao@example.org' },
      ],
    },
  });
export type CreateUsersInput = z.output<typeof createUsersBody>;

export const createdUsers = z
  .object({
    created_count: z.int().meta({ example: 1 }),
    failed_count: z.int().meta({ example: 0 }),
    results: z
      .array(
        z.object({
          index: z.int().meta({ description: 'The index in the request, from 0.', example: 0 }),
          username: z.string().meta({ example: 'wang' }),
          user_id: id.nullable().meta({ description: 'The account; null if it was not created.', example: 7 }),
          errors: z.array(
            z.object({
              field: z.string().meta({ example: 'username' }),
              message: z.string().meta({ example: 'is already taken' }),
            }),
          ),
        }),
      )
      .meta({ description: 'One per row of the request, in its order.' }),
    one_time_passwords: z
      .array(
        z.object({
          user_id: id.meta({ example: 7 }),
          username: z.string().meta({ example: 'wang' }),
          display_name: z.string().meta({ example: 'Wang Fang' }),
          one_time_password: z.string().meta({ example: 'k4vw9rpq2m8ht7xz' }),
        }),
      )
      .optional()
      .meta({ description: 'Shown only once; omitted when the `Idempotency-Key` is repeated.' }),
  })
  .meta({ id: 'CreatedUsers' });
