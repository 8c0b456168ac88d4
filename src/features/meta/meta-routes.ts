import type { z } from 'zod';
import type { Config } from '../../config.ts';
import { maxPageSize } from '../../http/fields.ts';
import { type Operation, operation } from '../../http/operation.ts';
import { fieldLimits } from '../../http/schema-limits.ts';
import { version } from '../../lib/version.ts';
import { locales } from '../../messages/index.ts';
import { meta } from './meta-schemas.ts';

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
    image_origins: storagePublicUrl === undefined ? [] : [new URL(storagePublicUrl).origin],
    limits: Object.fromEntries(limits.filter(([, fields]) => Object.keys(fields).length > 0)),
    upload_bytes: Object.fromEntries(uploads),
  };
}
