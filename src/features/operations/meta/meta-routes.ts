import { z } from 'zod';
import type { Config } from '../../../config/config.ts';
import { maxPageSize } from '../../../http/fields.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import { fieldLimits } from '../../../http/schema-limits.ts';
import { palette } from '../../../lib/palette.ts';
import { version } from '../../../project-root.ts';
import { locales } from '../../../texts/index.ts';

const number = z.number().optional();
const limitsOfField = z.object({
  min_length: number,
  max_length: number,
  minimum: number,
  maximum: number,
  min_items: number,
  max_items: number,
});

const hex = z.string().regex(/^#[0-9a-f]{6}$/);
const days = z.int().min(1).max(36_500).nullable();

const meta = z
  .object({
    version: z.string().meta({ example: version }),
    default_locale: z
      .enum(locales)
      .meta({ description: 'The language of messages, unless `Accept-Language` requests another.' }),
    locales: z.array(z.enum(locales)),
    max_page_size: z.int().meta({ description: 'The largest `limit` of a list.', example: 100 }),
    max_timer_hours: z.number().meta({ description: 'Timers are stopped after this many hours.', example: 12 }),
    require_otp: z.enum(['none', 'admin', 'all']).meta({ description: 'Which users must have a second factor.' }),
    mail: z.boolean().meta({ description: 'Whether the service sends mail, so that users can change their address.' }),
    school_weekdays: z
      .array(z.int().min(1).max(7))
      .meta({ description: 'The weekdays of lessons, from 1 (Monday).', example: [1, 2, 3, 4, 5] }),
    retention_days: z.object({ audit_log: days, addresses: days, contact_requests: days, accounts: days }).meta({
      description:
        'Days after which data are removed, and accounts that nobody uses are deactivated; `null`: not by themselves.',
      example: { audit_log: 730, addresses: 90, contact_requests: null, accounts: 730 },
    }),
    colors: z.array(z.object({ color: z.int().min(1), name: z.string(), light: hex, dark: hex })).meta({
      description: 'The palette of `color` of projects: fills on light and on dark ground.',
      example: [{ color: 1, name: 'cobalt', light: '#5470cc', dark: '#737cce' }],
    }),
    image_origins: z
      .array(z.string())
      .meta({ description: 'Other origins that images come from, for a Content-Security-Policy.', example: [] }),
    limits: z.record(z.string(), z.record(z.string(), limitsOfField)).meta({
      description: 'Limits of request fields, by operation id. Lengths are in code points.',
      example: { createProject: { name: { min_length: 2, max_length: 50 } } },
    }),
    upload_bytes: z.record(z.string(), z.int()).meta({
      description: 'The maximum file size in bytes, by operation id.',
      example: { uploadProjectImage: 5_242_880 },
    }),
  })
  .meta({ id: 'Meta' });

type Description = z.input<typeof meta>;

export type MetaRoutesOptions = {
  config: Config;
  operations: readonly Operation[];
};

export function createMetaRoutes(options: MetaRoutesOptions): Operation[] {
  let description: Description | undefined; // of every form: a start does not wait for it

  return [
    operation({
      method: 'get',
      path: '/api/meta',
      id: 'getMeta',
      tag: 'Operation',
      summary: 'Get the configuration for a front end',
      description:
        'Version, languages, and the limits of all input fields. Changes only when the service is restarted.',
      access: 'public',
      data: meta,
      handler: async () => {
        description ??= describe(options);
        return { data: description };
      },
    }),
  ];
}

function describe({ config, operations }: MetaRoutesOptions): Description {
  const { storagePublicUrl } = config.images;
  const { auditDays, addressDays, accountDays } = config.retention;
  const limited = (days: number) => (days === 0 ? null : days);
  const limits = operations.flatMap(({ id, body }) => (body === undefined ? [] : [[id, fieldLimits(body)] as const]));
  const uploads = operations.flatMap(({ id, upload }) =>
    upload === undefined ? [] : [[id, upload.maxBytes] as const],
  );
  return {
    version,
    default_locale: config.http.defaultLocale,
    locales: [...locales],
    max_page_size: maxPageSize,
    max_timer_hours: config.timer.maxHours,
    require_otp: config.requireOtp,
    mail: config.mail.smtpUrl !== undefined,
    school_weekdays: [...config.schoolYear.weekdays],
    retention_days: {
      audit_log: limited(auditDays),
      addresses: limited(addressDays),
      contact_requests: limited(config.contact.retentionDays),
      accounts: limited(accountDays),
    },
    colors: palette.map(([name, light, dark], index) => ({ color: index + 1, name, light, dark })),
    image_origins: storagePublicUrl === undefined ? [] : [new URL(storagePublicUrl).origin],
    limits: Object.fromEntries(limits.filter(([, fields]) => Object.keys(fields).length > 0)),
    upload_bytes: Object.fromEntries(uploads),
  };
}
