import { z } from 'zod';
import type { Actor } from '../../../actor.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import {
  dayOff,
  dayOffBody,
  daysOff,
  entryParams,
  maxOwnDays,
  ownEntryParams,
  studentParams,
  toDayOffResponse,
  updateDayOffBody,
} from './days-off-schemas.ts';
import type { DaysOffService } from './days-off-service.ts';
import { dryRunQuery, effect, toPreviewResponse } from './effect-schemas.ts';
import type { EffectService, Preview } from './effect-service.ts';

type Options = { service: DaysOffService; effects: EffectService };

export function createDaysOffRoutes({ service, effects }: Options): Operation[] {
  const mine = { tag: 'School year', access: 'user' } as const;
  const students = { tag: 'School year', access: 'admin', scoped: true } as const;
  const changed = z.union([dayOff, effect]);
  const own = '/api/me/days-off';
  const ofUser = '/api/admin/users/:id/days-off';

  async function list(userId: number) {
    const { entries, years } = await service.list(userId);
    return { data: { days_off: entries.map(toDayOffResponse), years } };
  }

  const { previewOf } = service;
  const preview = async (actor: Actor, change: Preview) => toPreviewResponse(await effects.preview(actor, change));

  return [
    operation({
      ...mine,
      method: 'get',
      path: own,
      id: 'listDaysOff',
      summary: 'List your days off',
      description: 'Those that you or administrators have set, without holidays of the school.',
      data: daysOff,
      handler: ({ actor }) => list(actor.id),
    }),

    operation({
      ...mine,
      method: 'post',
      path: own,
      id: 'createDaysOff',
      scope: 'none',
      summary: 'Add days off',
      description: `Also of earlier days. Such a day neither breaks nor extends a streak, no study is planned, and no reminder is sent; study on it counts. At most ${maxOwnDays} calendar days of a calendar year that are not off otherwise.`,
      query: dryRunQuery,
      body: dayOffBody,
      data: changed,
      status: 201,
      message: 'days_off_created',
      idempotent: true,
      errors: ['CONFLICT'],
      handler: async ({ actor, query, body, store }) => {
        if (query.dry_run) return preview(actor, previewOf.created(actor, actor.id, body));
        const created = await service.create(store, actor, actor.id, body);
        return { data: toDayOffResponse(created), location: `${own}/${created.id}` };
      },
    }),

    operation({
      ...mine,
      method: 'put',
      path: `${own}/:id`,
      id: 'updateDaysOff',
      scope: 'none',
      summary: 'Change your days off',
      description: 'Those that you have set. Every field is optional.',
      params: ownEntryParams,
      query: dryRunQuery,
      body: updateDayOffBody,
      data: changed,
      message: 'days_off_updated',
      errors: ['PERMISSION_DENIED', 'RESOURCE_NOT_FOUND'],
      guard: ({ actor, params }) => service.requireEntry(actor, actor.id, params.id),
      handler: async ({ actor, params, query, body }) => {
        if (query.dry_run) return preview(actor, previewOf.updated(actor, actor.id, params.id, body));
        return { data: toDayOffResponse(await service.update(actor, actor.id, params.id, body)) };
      },
    }),

    operation({
      ...mine,
      method: 'delete',
      path: `${own}/:id`,
      id: 'deleteDaysOff',
      scope: 'none',
      summary: 'Delete your days off',
      description: 'Those that you have set.',
      params: ownEntryParams,
      query: dryRunQuery,
      data: effect.optional(),
      message: 'days_off_deleted',
      errors: ['PERMISSION_DENIED', 'RESOURCE_NOT_FOUND'],
      handler: async ({ actor, params, query }) => {
        if (query.dry_run) return preview(actor, previewOf.deleted(actor, actor.id, params.id));
        await service.delete(actor, actor.id, params.id);
        return {};
      },
    }),

    operation({
      ...students,
      method: 'get',
      path: ofUser,
      id: 'listDaysOffOfUser',
      summary: 'List the days off of a user',
      description: 'With their reasons.',
      params: studentParams,
      data: daysOff,
      errors: ['RESOURCE_NOT_FOUND'],
      handler: async ({ actor, params }) => {
        await service.require(actor, params.id);
        return list(params.id);
      },
    }),

    operation({
      ...students,
      method: 'post',
      path: ofUser,
      id: 'excuseUser',
      summary: 'Excuse a user',
      description: `Also afterwards. These days do not count among the ${maxOwnDays} a year that users may set for themselves.`,
      params: studentParams,
      query: dryRunQuery,
      body: dayOffBody,
      data: changed,
      status: 201,
      message: 'days_off_created',
      idempotent: true,
      errors: ['RESOURCE_NOT_FOUND', 'CONFLICT'],
      guard: ({ actor, params }) => service.require(actor, params.id),
      handler: async ({ actor, params, query, body, store }) => {
        if (query.dry_run) return preview(actor, previewOf.created(actor, params.id, body));
        const created = await service.create(store, actor, params.id, body);
        return { data: toDayOffResponse(created), location: `/api/admin/users/${params.id}/days-off/${created.id}` };
      },
    }),

    operation({
      ...students,
      method: 'put',
      path: `${ofUser}/:days_off_id`,
      id: 'updateDaysOffOfUser',
      summary: 'Change days off of a user',
      description: 'Every field is optional. They are then set by the administrator, also if the user had set them.',
      params: entryParams,
      query: dryRunQuery,
      body: updateDayOffBody,
      data: changed,
      message: 'days_off_updated',
      errors: ['RESOURCE_NOT_FOUND'],
      guard: ({ actor, params }) => service.requireEntry(actor, params.id, params.days_off_id),
      handler: async ({ actor, params, query, body }) => {
        if (query.dry_run) return preview(actor, previewOf.updated(actor, params.id, params.days_off_id, body));
        return { data: toDayOffResponse(await service.update(actor, params.id, params.days_off_id, body)) };
      },
    }),

    operation({
      ...students,
      method: 'delete',
      path: `${ofUser}/:days_off_id`,
      id: 'deleteDaysOffOfUser',
      summary: 'Delete days off of a user',
      description: 'Also those that the user has set.',
      params: entryParams,
      query: dryRunQuery,
      data: effect.optional(),
      message: 'days_off_deleted',
      errors: ['RESOURCE_NOT_FOUND'],
      handler: async ({ actor, params, query }) => {
        if (query.dry_run) return preview(actor, previewOf.deleted(actor, params.id, params.days_off_id));
        await service.delete(actor, params.id, params.days_off_id);
        return {};
      },
    }),
  ];
}
