import { z } from 'zod';
import { id, paginate, pagination } from '../../../http/fields.ts';
import { timestamp } from '../../../http/time-fields.ts';
import type { ReportLinkRow } from './report-link-repository.ts';
import { date, type ListLinksQuery } from './report-schemas.ts';

export const reportLink = z
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

export const createdLink = reportLink
  .extend({
    secret_url: z.string().meta({
      description:
        'Anyone who knows it sees the report. Returned only once; empty when the `Idempotency-Key` is repeated.',
      example: 'https://study.example.org/reports/shared#pUq4c1vTn0xgYv3mB7k2dQpUq4c1vTn0xgYv3mB7k2d',
    }),
  })
  .meta({ id: 'CreatedReportLink' });

export const reportLinkPage = z.object({ links: z.array(reportLink), pagination });

export function toLinkResponse(row: ReportLinkRow): z.input<typeof reportLink> {
  const { first_day, last_day, ...rest } = row;
  return { ...rest, from: first_day, to: last_day };
}

export const toLinkPage = (links: readonly ReportLinkRow[], { page, limit }: ListLinksQuery, total: number) => ({
  links: links.map(toLinkResponse),
  pagination: paginate(page, limit, total),
});
