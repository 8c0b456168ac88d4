import { z } from 'zod';
import type { Actor } from '../../../../actor.ts';
import { idText } from '../../../../http/fields.ts';
import { type Operation, operation } from '../../../../http/operation.ts';
import { PermissionDeniedError } from '../../../../texts/access-errors.ts';
import { NotFoundError, ValidationError } from '../../../../texts/errors.ts';
import type { Db } from '../../../../transactions/transactions.ts';
import { limitOf, requireGroups, requireReaderOf } from '../../../accounts/admin-scope/admin-scope.ts';
import * as groups from '../../../accounts/groups/group-repository.ts';
import * as daysOff from '../days-off-repository.ts';
import { maxReason, termName } from '../school-day-fields.ts';
import { kindsOfPerson, namedDaysOf } from './named-days.ts';
import { readGroupYear, readPersonYear } from './person-year-read-model.ts';

const dates = { from: z.iso.date().meta({ example: '2026-10-01' }), to: z.iso.date().meta({ example: '2026-10-07' }) };

const personYear = z
  .object({
    terms: z.array(z.object({ name: termName, ...dates })).meta({ description: 'In the order of their days.' }),
    days: z
      .array(
        z.object({
          ...dates,
          kind: z.enum(kindsOfPerson).meta({
            description:
              '`off`: nothing is expected. `excused`: the same, for this person. `school_day`: also on a rest day.',
          }),
          name: z
            .string()
            .max(maxReason)
            .meta({ description: 'Of the entry, or the reason.', example: 'National Day' }),
        }),
      )
      .meta({ description: 'Days that are not ordinary, in their order; they do not overlap.' }),
  })
  .meta({ id: 'SchoolYear' });

export function createPersonYearRoutes({ store }: { store: Db }): Operation[] {
  async function ofUser(actor: Actor, userId: number) {
    await requireReaderOf(store, actor, userId, 'school_year_not_yours');
    if (!(await daysOff.exists(store, userId))) throw new NotFoundError('user_not_found');
    return readPersonYear(store, userId, userId === actor.id ? undefined : limitOf(actor));
  }

  async function ofGroup(actor: Actor, groupId: number, userId: number | undefined) {
    if (actor.role === 'user') throw new PermissionDeniedError('school_year_not_yours');
    if (userId !== undefined) throw ValidationError.of('user_id', 'not_combined', { other: 'group_id' });
    if ((await groups.find(store, groupId)) === undefined) throw new NotFoundError('group_not_found');
    await requireGroups(store, actor, [groupId]);
    return readGroupYear(store, groupId);
  }

  return [
    operation({
      tag: 'School year',
      access: 'user',
      method: 'get',
      path: '/api/school-year',
      id: 'getSchoolYear',
      summary: 'Get the school year of a user or class',
      description:
        'The terms, and what the days of holidays, make-up days and days off are for the caller, or for administrators of another `user_id` or of a class: excused before an entry of a class before one of the school. Weekly days of rest are in the preferences.',
      query: z.object({
        user_id: idText.optional().meta({ description: 'For administrators: that of this user.' }),
        group_id: idText.optional().meta({ description: 'For administrators: that of this class, without `user_id`.' }),
      }),
      data: personYear,
      errors: ['PERMISSION_DENIED', 'RESOURCE_NOT_FOUND'],
      handler: async ({ actor, query: { user_id, group_id } }) => {
        const found =
          group_id === undefined ? await ofUser(actor, user_id ?? actor.id) : await ofGroup(actor, group_id, user_id);
        return { data: { terms: found.terms, days: namedDaysOf(found, found.entries) } };
      },
    }),
  ];
}
