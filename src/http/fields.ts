import { z } from 'zod';
import { errorCodes } from '../texts/errors.ts';
import type { MessageKey } from '../texts/index.ts';

export const issue = (key: MessageKey, params?: Record<string, string | number>) => ({
  code: 'custom' as const,
  message: key,
  params,
});

type ParsedPart = { value: unknown; issues: readonly { path?: readonly PropertyKey[] | undefined }[] };

/** For a refinement that concerns some fields: it also runs when others are invalid, so that all errors are reported at once. */
export const unlessInvalid = (...fields: string[]) => ({
  when: ({ issues }: ParsedPart): boolean =>
    issues.every(({ path = [] }) => path.length > 0 && !fields.includes(String(path[0]))),
});

type TextRule = { min?: number; max: number; multiline?: boolean; trimmed?: boolean };

/** No language has longer runs, whose normalisation takes quadratic time (UAX #15, Stream-Safe Text Format). */
const longMarkRun = /\p{M}{31}/u;

/** Ignorable characters, such as U+200B, U+2060, U+3164 and those of directions, and the blank of Braille have no picture. */
const visible = /[^\p{Default_Ignorable_Code_Point}\p{White_Space}\p{Cc}\u2800]/u;

function normalize(value: string): string {
  return longMarkRun.test(value) ? value : value.normalize('NFC');
}

/** Normalised to NFC; lengths count code points. */
export function text({ min = 0, max, multiline = false, trimmed = true }: TextRule) {
  return z
    .string()
    .overwrite((value) => (trimmed ? normalize(value).trim() : normalize(value)))
    .superRefine((value, context) => {
      const length = [...value].length;
      if (value.includes('\u0000') || !value.isWellFormed() || longMarkRun.test(value))
        context.addIssue(issue('invalid_text'));
      else if (!multiline && /[\r\n]/.test(value)) context.addIssue(issue('no_newlines'));
      else if (length < min) context.addIssue(issue(length === 0 ? 'required' : 'too_short', { minimum: min }));
      else if (min > 0 && trimmed && !visible.test(value)) context.addIssue(issue('required'));
      else if (length > max) context.addIssue(issue('too_long', { maximum: max }));
    })
    .meta({ ...(min > 0 && { minLength: min }), maxLength: max });
}

export const id = z.int({ error: 'invalid_id' }).min(1).meta({ id: 'Id', example: 42 });

/** An id that is too large becomes 0, which does not exist either. */
function toId(digits: string): number {
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : 0;
}

/** In a path or a query. */
export const idText = z
  .string()
  .regex(/^[1-9]\d*$/, { error: 'invalid_id' })
  .transform(toId)
  .meta({ override: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }, example: 42 });

export const idParams = z.object({ id: idText.meta({ description: 'The id of the resource.' }) });

/** Different ids in a query, separated by commas. */
export const idsText = (max: number) =>
  z
    .string()
    .regex(/^[1-9]\d*(,[1-9]\d*)*$/, { error: 'invalid_ids' })
    .transform((value) => [...new Set(value.split(',').map(toId))])
    .pipe(z.array(z.number()).max(max))
    .meta({ override: { type: 'string', pattern: '^[1-9]\\d*(,[1-9]\\d*)*$' }, example: '42,43' });

export function queryInt({ min, max }: { min: number; max: number }) {
  return z
    .string()
    .regex(/^-?\d+$/, { error: 'expected_integer' })
    .transform(Number)
    .pipe(z.number().min(min).max(max))
    .meta({ override: { type: 'integer', minimum: min, maximum: max } });
}

export const queryFlag = z
  .enum(['true', 'false'])
  .transform((value) => value === 'true')
  .meta({ override: { type: 'string', enum: ['true', 'false'] } });

export const maxPageSize = 100;

const pageNumber = queryInt({ min: 1, max: 1_000_000_000 });
const pageSize = z
  .string()
  .regex(/^-?\d+$/, { error: 'expected_integer' })
  .transform(Number)
  .pipe(
    z
      .number()
      .min(1)
      .transform((value) => Math.min(value, maxPageSize)),
  );

export const pageQuery = {
  page: pageNumber.default(1).meta({
    override: { type: 'integer', minimum: 1, maximum: 1_000_000_000, default: 1 },
    description: 'Page number, from 1.',
  }),
  limit: pageSize.default(10).meta({
    override: { type: 'integer', minimum: 1, default: 10 },
    description: 'Entries per page; values above 100 mean 100.',
  }),
};

/** For a list that is whole unless a page of it is requested. */
export const optionalPageQuery = {
  page: pageNumber.optional().meta({ description: 'Page number, from 1. Without it and `limit`, all entries.' }),
  limit: pageSize.optional().meta({
    override: { type: 'integer', minimum: 1 },
    description: 'Entries per page, 10 if only `page` is given; values above 100 mean 100.',
  }),
};

export const pagination = z
  .object({ page: z.int(), limit: z.int(), total: z.int(), pages: z.int() })
  .meta({ id: 'Pagination', example: { page: 1, limit: 10, total: 37, pages: 4 } });

export function paginate(page: number, limit: number, total: number): z.infer<typeof pagination> {
  return { page, limit, total, pages: Math.ceil(total / limit) };
}

/** The columns of a file to import. */
export const fileColumns = z
  .array(z.object({ name: z.string(), example: z.string() }).meta({ id: 'FileColumn' }))
  .meta({ description: 'The columns of the file that have a name, each with its cell in the first row.' });

export const errorCode = z.enum(errorCodes).meta({ id: 'ErrorCode', description: 'Never translated.' });

export const itemEtag = z.string().meta({
  id: 'ETag',
  description: 'For `If-Match` of a change that is based on this item.',
  example: '"1764921600000"',
});

/** The secret of a link, such as in a mail. */
export const linkToken = (description: string) =>
  z.string().min(1).max(256).meta({ description, example: 'pUq4c1vTn0xgYv3mB7k2dQ' });

/** Zod's, with domains such as 例子.中国, which are sent as xn--fsqu00a.xn--fiqs8s. */
const emailPattern =
  /^(?:[A-Za-z0-9_'+-]+\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+(?:[A-Za-z]{2,}|xn--[A-Za-z0-9-]+)$/;

export const email = z
  .string()
  .overwrite((value) => normalize(value).trim())
  .pipe(z.email({ error: 'invalid_email', pattern: emailPattern }).max(254))
  .meta({ override: { type: 'string', format: 'email', maxLength: 254 }, example: 'lin@example.org' });

/** A truth value in a field of a form. */
export const flag = (byDefault: 'true' | 'false', description: string) =>
  z
    .enum(['true', 'false'])
    .default(byDefault)
    .transform((value) => value === 'true')
    .meta({ description });
