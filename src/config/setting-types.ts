import { z } from 'zod';
import { parseTrustedProxies, type TrustedProxies, withoutAccount } from '../lib/network/address.ts';
import { parseSchedule, type Schedule } from '../lib/schedule.ts';
import { isUrl, parseStorageUrl } from '../lib/storage/s3-storage.ts';

// Every check has its own message: operators do not know Zod.
export const wholeNumber = (fallback: number, minimum: number, maximum: number) =>
  z
    .string()
    .transform((text) => (/^\d{1,15}$/.test(text.trim()) ? Number(text) : Number.NaN))
    .refine((value) => value >= minimum && value <= maximum, {
      error: `must be a whole number from ${minimum} to ${maximum}`,
    })
    .default(fallback);

export const perMinute = (fallback: number) => wholeNumber(fallback, 0, 1_000_000);

export const oneOf = <const V extends readonly string[]>(values: V) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` });

/** A displayed name. One of spaces is absent. */
export const displayedName = (maximum: number) =>
  z
    .string()
    .trim()
    .max(maximum, { error: `must have at most ${maximum} characters` })
    .transform((text) => text || undefined)
    .optional();

export const webAddress = z.url({
  protocol: /^https?$/,
  error: 'must be an address such as https://study.example.org',
});

export const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  );

export const origin = z.string().refine((text) => URL.canParse(text) && new URL(text).origin === text, {
  error: ({ input }) =>
    `${JSON.stringify(withoutAccount(`${input}`))} is no origin such as https://app.example.org, without a path`,
});

export const publicUrl = webAddress
  // Other texts have been rejected already.
  .refine((text) => !/^https?:\/\//.test(text) || /^\/?$/.test(text.replace(/^https?:\/\/[^/?#]*/, '')), {
    error: 'must have no path: the service is at / of a host name of its own, such as https://study.example.org',
  })
  .transform((text) => new URL(text).origin);

const encoded = 'write @ / # ? % in its user name and password as %40 %2F %23 %3F %25';

/** The URL of a server with an account. The message has no part of it, because that may be of the password. */
export const serverUrl = (protocol: RegExp, example: string) =>
  z.string().superRefine((text, context) => {
    if (protocol.test(text) && isComplete(text)) return;
    const message = `must look like ${example}${text.includes('@') ? `; ${encoded}` : ''}`;
    context.addIssue({ code: 'custom', message });
  });

/** With a character that is not encoded, the host would end in the middle of the password. */
function isComplete(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password, pathname, hash } = new URL(text);
  try {
    return hash === '' && !pathname.includes('@') && decodeURIComponent(username + password) !== undefined;
  } catch {
    return false;
  }
}

export const databaseUrl = serverUrl(/^postgres(ql)?:\/\//, 'postgres://user:password@host:5432/database').transform(
  // What pg does with these modes, about which it prints a warning of several lines.
  (text) =>
    /[?&]uselibpqcompat=/.test(text)
      ? text
      : text.replace(/([?&]sslmode=)(prefer|require|verify-ca)\b/, '$1verify-full'),
);

export const storageUrl = z.string().superRefine(checkStorageUrl);

export const folderOrStorageUrl = z
  .string()
  .superRefine((text, context) => (isUrl(text) ? checkStorageUrl(text, context) : undefined));

function checkStorageUrl(text: string, context: z.RefinementCtx<string>): void {
  try {
    parseStorageUrl(text);
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : 'invalid' });
  }
}

export const adminClaim = z.string().transform((text, context) => {
  const [, name, value] = /^([^=]+)=(.+)$/.exec(text.trim()) ?? [];
  if (name !== undefined && value !== undefined) return { name, value };
  context.addIssue({ code: 'custom', message: 'must name a claim and its value, such as groups=teachers' });
  return z.NEVER;
});

export const backupSchedule = z.string().transform((text, context): Schedule => {
  const schedule = parseSchedule(text.trim());
  if (schedule !== undefined) return schedule;
  context.addIssue({ code: 'custom', message: 'must be a time of day such as 03:00, or a number of hours such as 6h' });
  return z.NEVER;
});

export const trustProxy = z
  .string()
  .default('')
  .transform((text, context): TrustedProxies => {
    try {
      return parseTrustedProxies(text.trim());
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : 'invalid' });
      return z.NEVER;
    }
  });

export const hours = z
  .string()
  .transform(Number)
  .refine((value) => value > 0 && value <= 24, { error: 'must be a number of hours above 0, at most 24' });

/** ISO weekdays, from 1 (Monday). */
export const schoolWeekdays = z
  .string()
  .default('1,2,3,4,5')
  .refine((value) => /^[1-7](,[1-7])*$/.test(value), {
    error: 'must be weekdays from 1 (Monday) to 7, such as 1,2,3,4,5',
  })
  .transform((value) => [...new Set(value.split(',').map(Number))].sort());
