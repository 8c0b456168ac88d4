import { z } from 'zod';
import { locales } from '../../messages/index.ts';

const number = z.number().optional();
const fieldLimits = z.object({
  min_length: number,
  max_length: number,
  minimum: number,
  maximum: number,
  min_items: number,
  max_items: number,
});

export const meta = z
  .object({
    version: z.string().meta({ example: '1.0.0' }),
    default_locale: z
      .enum(locales)
      .meta({ description: 'The language of messages, unless `Accept-Language` requests another.' }),
    locales: z.array(z.enum(locales)),
    max_page_size: z.int().meta({ description: 'The largest `limit` of a list.', example: 100 }),
    max_timer_hours: z.number().meta({ description: 'Timers are stopped after this many hours.', example: 12 }),
    require_otp: z.enum(['none', 'admin', 'all']).meta({ description: 'Which users must have a second factor.' }),
    mail: z.boolean().meta({ description: 'Whether the service sends mail, so that users can change their address.' }),
    image_origins: z
      .array(z.string())
      .meta({ description: 'Other origins that images come from, for a Content-Security-Policy.', example: [] }),
    limits: z.record(z.string(), z.record(z.string(), fieldLimits)).meta({
      description: 'Limits of request fields, by operation id. Lengths are in code points.',
      example: { createProject: { name: { min_length: 2, max_length: 50 } } },
    }),
    upload_bytes: z.record(z.string(), z.int()).meta({
      description: 'The maximum file size in bytes, by operation id.',
      example: { uploadProjectImage: 5_242_880 },
    }),
  })
  .meta({ id: 'Meta' });
