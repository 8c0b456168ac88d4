import { z } from 'zod';
import { id, idParams, paginate, pagination } from '../../../http/fields.ts';
import type { RateLimits } from '../../../http/limits.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import { timestamp } from '../../../http/time-fields.ts';
import type { ReportLinkRow } from './report-link-repository.ts';
import type { ReportLinkService } from './report-link-service.ts';
import {
  createLinkBody,
  date,
  type ListLinksQuery,
  listLinksQuery,
  report,
  reportQuery,
  sharedReportBody,
} from './report-schemas.ts';
import type { ReportService } from './report-service.ts';

const reportLink = z
  .object({
    id,
    user_id: id.meta({ description: 'The student.' }),
    display_name: z.string().meta({ example: 'Lin' }),
    from: date,
    to: date,
    created_by: z.string().meta({ description: 'The name of the administrator.', example: 'Ms Chen' }),
    created_at: timestamp,
    expires_at: timestamp,
    last_used_at: timestamp
      .nullable()
      .meta({ description: 'Accurate to about a minute; null if it was never opened.' }),
  })
  .meta({ id: 'ReportLink' });

const createdLink = reportLink
  .extend({
    secret_url: z.string().meta({
      description:
        'Anyone who knows it sees the report. Returned only once; empty when the `Idempotency-Key` is repeated.',
      example: 'https://study.example.org/reports/shared#pUq4c1vTn0xgYv3mB7k2dQpUq4c1vTn0xgYv3mB7k2d',
    }),
  })
  .meta({ id: 'CreatedReportLink' });

const reportLinkPage = z.object({ links: z.array(reportLink), pagination });

function toLinkResponse(row: ReportLinkRow): z.input<typeof reportLink> {
  const { first_day, last_day, ...rest } = row;
  return { ...rest, from: first_day, to: last_day };
}

const toLinkPage = (links: readonly ReportLinkRow[], { page, limit }: ListLinksQuery, total: number) => ({
  links: links.map(toLinkResponse),
  pagination: paginate(page, limit, total),
});

type Options = {
  reports: ReportService;
  links: ReportLinkService;
  rateLimits: RateLimits;
  floodPerMinute: number;
};

export function createReportRoutes({ reports, links, rateLimits, floodPerMinute }: Options): Operation[] {
  const base = { tag: 'Reports', access: 'admin', scoped: true } as const;
  const params = idParams;

  return [
    operation({
      ...base,
      access: 'user',
      method: 'get',
      path: '/api/reports/students/:id',
      id: 'getReport',
      summary: 'Get the report of a student',
      description:
        "What a printed page shows about a period: hours, days and projects, without notes. Days and weeks follow the student's preferences. For administrators, and students themselves.",
      params,
      query: reportQuery,
      data: report,
      cost: 'statistics',
      errors: ['PERMISSION_DENIED', 'RESOURCE_NOT_FOUND'],
      guard: ({ actor, params }) => reports.requireStudent(actor, params.id),
      handler: async ({ actor, params, query }) => ({ data: await reports.read(actor, params.id, query) }),
    }),

    operation({
      ...base,
      method: 'post',
      path: '/api/reports/students/:id/links',
      id: 'createReportLink',
      summary: 'Create a link to a report',
      description:
        'Shows this one report to anyone who has the link, as it is when it is opened. It is valid until it expires or is revoked, or until the student is deactivated, or its creator is deactivated or no longer an administrator. At most 500 valid ones per administrator.',
      params,
      body: createLinkBody,
      data: createdLink,
      status: 201,
      secrets: ['secret_url'],
      message: 'report_link_created',
      idempotent: true,
      errors: ['RESOURCE_NOT_FOUND', 'CONFLICT'],
      guard: ({ actor, params }) => reports.requireStudent(actor, params.id),
      handler: async ({ actor, params, body, store }) => {
        const { row, secret_url } = await links.create(store, actor, params.id, body);
        return { data: { ...toLinkResponse(row), secret_url }, location: `/api/reports/links/${row.id}` };
      },
    }),

    operation({
      ...base,
      method: 'get',
      path: '/api/reports/links',
      id: 'listReportLinks',
      summary: 'List links to reports',
      description: 'The valid ones of all administrators, newest first, without the secrets.',
      query: listLinksQuery,
      data: reportLinkPage,
      handler: async ({ actor, query }) => {
        const { links: page, total } = await links.list(actor, query);
        return { data: toLinkPage(page, query, total) };
      },
    }),

    operation({
      ...base,
      method: 'delete',
      path: '/api/reports/links/:id',
      id: 'revokeReportLink',
      summary: 'Revoke a link to a report',
      description: 'Also a link of another administrator. It shows nothing from then on.',
      params,
      message: 'report_link_revoked',
      errors: ['RESOURCE_NOT_FOUND'],
      handler: async ({ actor, params }) => {
        await links.revoke(actor, params.id);
        return {};
      },
    }),

    operation({
      ...base,
      access: 'public',
      method: 'post',
      path: '/api/reports/shared',
      id: 'readSharedReport',
      summary: 'Read a report by its link',
      description:
        'The same response for unknown, expired and ended links. The secret is in the body, so that no log contains it. At most 60 requests a minute from an address.',
      body: sharedReportBody,
      data: report,
      errors: ['RESOURCE_NOT_FOUND'],
      cost: 'statistics',
      limit: rateLimits('reports', floodPerMinute),
      handler: async ({ body }) => ({
        data: await links.open(body.token),
        headers: { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex, nofollow' },
      }),
    }),
  ];
}
