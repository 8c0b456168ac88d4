import { z } from 'zod';
import type { Actor } from '../../../actor.ts';
import type { Periods } from '../../../db/periods.ts';
import { idParams } from '../../../http/fields.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import { dryRunQuery, effect, toPreviewResponse } from './effect-schemas.ts';
import type { EffectService, Preview } from './effect-service.ts';
import {
  schoolDay,
  schoolDayBody,
  schoolDaysQuery,
  term,
  termBody,
  toChanges,
  toNewSchoolDay,
  toNewTerm,
  toSchoolDayResponse,
  toTermResponse,
  updateSchoolDayBody,
  updateTermBody,
} from './school-year-schemas.ts';
import type { SchoolYearService } from './school-year-service.ts';

type Options = { schoolYear: SchoolYearService; effects: EffectService; periods: Periods; weekdays: readonly number[] };

/** Of a filter by days: more than all days that an entry can have. */
const maxDays = 73_050;

export function createSchoolYearRoutes({ schoolYear, effects, periods, weekdays }: Options): Operation[] {
  const base = { tag: 'School year', access: 'admin' } as const;
  const scoped = { ...base, scoped: true } as const;
  const onOne = { ...base, params: idParams, errors: ['RESOURCE_NOT_FOUND'] } as const;
  const writing = { scoped: true, cost: 'statistics', query: dryRunQuery } as const;
  const onEntry = { ...onOne, ...writing } as const;
  const terms = '/api/admin/terms';
  const days = '/api/admin/school-days';
  const changed = z.union([schoolDay, effect]);
  const changedTerm = z.union([term, effect]);

  const preview = async (actor: Actor, change: Preview) => toPreviewResponse(await effects.preview(actor, change));
  const { previewOf, previewOfTerm } = schoolYear;

  return [
    operation({
      ...scoped,
      method: 'get',
      path: terms,
      id: 'listTerms',
      summary: 'List terms',
      description: 'In the order of their days. Days outside terms are not off by themselves.',
      data: z.array(term),
      handler: async () => ({ data: (await schoolYear.listTerms()).map(toTermResponse) }),
    }),

    operation({
      ...base,
      method: 'post',
      path: terms,
      id: 'createTerm',
      summary: 'Create a term',
      description: 'Terms do not overlap. There are at most 200.',
      query: dryRunQuery,
      body: termBody,
      data: changedTerm,
      status: 201,
      message: 'term_created',
      idempotent: true,
      errors: ['CONFLICT'],
      handler: async ({ actor, query, body, store }) => {
        if (query.dry_run) return preview(actor, previewOfTerm.created(toNewTerm(body)));
        const created = await schoolYear.createTerm(store, actor, toNewTerm(body));
        return { data: toTermResponse(created), location: `${terms}/${created.id}` };
      },
    }),

    operation({
      ...onOne,
      method: 'put',
      path: `${terms}/:id`,
      id: 'updateTerm',
      summary: 'Change a term',
      description: 'Every field is optional.',
      query: dryRunQuery,
      body: updateTermBody,
      data: changedTerm,
      message: 'term_updated',
      guard: ({ params }) => schoolYear.requireTerm(params.id),
      handler: async ({ actor, params, query, body }) => {
        const changes = toChanges(body);
        if (query.dry_run) return preview(actor, previewOfTerm.updated(params.id, changes));
        return { data: toTermResponse(await schoolYear.updateTerm(actor, params.id, changes)) };
      },
    }),

    operation({
      ...onOne,
      method: 'delete',
      path: `${terms}/:id`,
      id: 'deleteTerm',
      summary: 'Delete a term',
      description: 'Days off and make-up days remain.',
      query: dryRunQuery,
      data: effect.optional(),
      message: 'term_deleted',
      handler: async ({ actor, params, query }) => {
        if (query.dry_run) return preview(actor, previewOfTerm.deleted(params.id));
        await schoolYear.deleteTerm(actor, params.id);
        return {};
      },
    }),

    operation({
      ...scoped,
      method: 'get',
      path: days,
      id: 'listSchoolDays',
      summary: 'List days off and make-up days',
      description:
        'Of the whole school and of its classes, in the order of their days; not paged: there are at most 1,000.',
      query: schoolDaysQuery,
      data: z.array(schoolDay),
      handler: async ({ actor, query: { group_id, ...given } }) => {
        const between = await periods.days({ user_id: actor.id }, given, { maxDays });
        const rows = await schoolYear.listSchoolDays(actor, { ...between, group_id });
        return { data: rows.map((row) => toSchoolDayResponse(row, weekdays)) };
      },
    }),

    operation({
      ...base,
      ...writing,
      method: 'post',
      path: days,
      id: 'createSchoolDay',
      summary: 'Add days off or make-up days',
      description:
        'A day that is off, or excused, neither breaks nor extends a streak and is no day of pace, plan and reminders; study on it counts. A make-up day is expected to have study also on a rest day. The entry of a class wins over one of the school, and of two of one kind `school_day`. Streaks and awards of earlier days are computed again in the background. There are at most 1,000 entries.',
      body: schoolDayBody,
      data: changed,
      status: 201,
      message: 'school_day_created',
      idempotent: true,
      errors: ['CONFLICT'],
      handler: async ({ actor, query, body, store }) => {
        if (query.dry_run) return preview(actor, previewOf.created(actor, toNewSchoolDay(body)));
        const created = await schoolYear.createSchoolDay(store, actor, toNewSchoolDay(body));
        return { data: toSchoolDayResponse(created, weekdays), location: `${days}/${created.id}` };
      },
    }),

    operation({
      ...onEntry,
      method: 'put',
      path: `${days}/:id`,
      id: 'updateSchoolDay',
      summary: 'Change days off or make-up days',
      description: 'Every field is optional. Also of earlier days.',
      body: updateSchoolDayBody,
      data: changed,
      message: 'school_day_updated',
      guard: ({ actor, params }) => schoolYear.requireSchoolDay(actor, params.id),
      handler: async ({ actor, params, query, body }) => {
        const changes = toChanges(body);
        if (query.dry_run) return preview(actor, previewOf.updated(actor, params.id, changes));
        return { data: toSchoolDayResponse(await schoolYear.updateSchoolDay(actor, params.id, changes), weekdays) };
      },
    }),

    operation({
      ...onEntry,
      method: 'delete',
      path: `${days}/:id`,
      id: 'deleteSchoolDay',
      summary: 'Delete days off or make-up days',
      description: 'Of earlier days, too. Awards that were earned remain.',
      data: effect.optional(),
      message: 'school_day_deleted',
      handler: async ({ actor, params, query }) => {
        if (query.dry_run) return preview(actor, previewOf.deleted(actor, params.id));
        await schoolYear.deleteSchoolDay(actor, params.id);
        return {};
      },
    }),
  ];
}
