import { z } from 'zod';
import { parseTrustedProxies, type TrustedProxies } from '../lib/network/address.ts';
import { parseSchedule, type Schedule } from '../lib/schedule.ts';
import { isUrl, parseStorageUrl } from '../lib/storage/s3-storage.ts';
import { locales } from '../texts/index.ts';
import { defaultFolder } from './data-folder.ts';

// Every check has its own message: operators do not know Zod.
const wholeNumber = (fallback: number, minimum: number, maximum: number) =>
  z
    .string()
    .transform((text) => (/^\d{1,15}$/.test(text.trim()) ? Number(text) : Number.NaN))
    .refine((value) => value >= minimum && value <= maximum, {
      error: `must be a whole number from ${minimum} to ${maximum}`,
    })
    .default(fallback);
const perMinute = (fallback: number) => wholeNumber(fallback, 0, 1_000_000);
const oneOf = <const V extends readonly string[]>(values: V) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` });
/** A displayed name. One of spaces is absent. */
const displayedName = (maximum: number) =>
  z
    .string()
    .trim()
    .max(maximum, { error: `must have at most ${maximum} characters` })
    .transform((text) => text || undefined)
    .optional();
const webAddress = z.url({ protocol: /^https?$/, error: 'must be an address such as https://study.example.org' });
const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  );

const origin = z.string().refine((text) => URL.canParse(text) && new URL(text).origin === text, {
  error: 'each must be an origin such as https://app.example.org, without a path',
});

const publicUrl = webAddress
  // Other texts have been rejected already.
  .refine((text) => !/^https?:\/\//.test(text) || /^\/?$/.test(text.replace(/^https?:\/\/[^/?#]*/, '')), {
    error: 'must have no path: the service is at / of a host name of its own, such as https://study.example.org',
  })
  .transform((text) => new URL(text).origin);

const encoded = 'write @ / # ? % in its user name and password as %40 %2F %23 %3F %25';

/** The URL of a server with an account. The message has no part of it, because that may be of the password. */
const serverUrl = (protocol: RegExp, example: string) =>
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

const databaseUrl = serverUrl(/^postgres(ql)?:\/\//, 'postgres://user:password@host:5432/database').transform(
  // What pg does with these modes, about which it prints a warning of several lines.
  (text) =>
    /[?&]uselibpqcompat=/.test(text)
      ? text
      : text.replace(/([?&]sslmode=)(prefer|require|verify-ca)\b/, '$1verify-full'),
);

const storageUrl = z.string().superRefine(checkStorageUrl);
const folderOrStorageUrl = z
  .string()
  .superRefine((text, context) => (isUrl(text) ? checkStorageUrl(text, context) : undefined));

function checkStorageUrl(text: string, context: z.RefinementCtx<string>): void {
  try {
    parseStorageUrl(text);
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : 'invalid' });
  }
}

const adminClaim = z.string().transform((text, context) => {
  const [, name, value] = /^([^=]+)=(.+)$/.exec(text.trim()) ?? [];
  if (name !== undefined && value !== undefined) return { name, value };
  context.addIssue({ code: 'custom', message: 'must name a claim and its value, such as groups=teachers' });
  return z.NEVER;
});

const backupSchedule = z.string().transform((text, context): Schedule => {
  const schedule = parseSchedule(text.trim());
  if (schedule !== undefined) return schedule;
  context.addIssue({ code: 'custom', message: 'must be a time of day such as 03:00, or a number of hours such as 6h' });
  return z.NEVER;
});

const trustProxy = z
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

const hours = z
  .string()
  .transform(Number)
  .refine((value) => value > 0 && value <= 24, { error: 'must be a number of hours above 0, at most 24' });

/** ISO weekdays, from 1 (Monday). */
const schoolWeekdays = z
  .string()
  .default('1,2,3,4,5')
  .refine((value) => /^[1-7](,[1-7])*$/.test(value), {
    error: 'must be weekdays from 1 (Monday) to 7, such as 1,2,3,4,5',
  })
  .transform((value) => [...new Set(value.split(',').map(Number))].sort());

export const settingsSchema = z.object({
  NODE_ENV: oneOf(['development', 'test', 'production']).default('development'),
  HOST: z.string().default('127.0.0.1'),
  PORT: wholeNumber(3000, 0, 65_535),
  PUBLIC_URL: publicUrl.optional(),
  SITE_NAME: displayedName(60),
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_POOL_SIZE: wholeNumber(10, 1, 200),
  DATA_DIR: z.string().default(defaultFolder('data')),
  UPLOADS_DIR: z.string().default(defaultFolder('uploads')),
  JWT_SECRET: list.refine((secrets) => secrets.every((secret) => Buffer.byteLength(secret) >= 32), {
    error: 'each secret must have at least 32 bytes; generate one with: openssl rand -base64 48',
  }),
  ACCESS_TOKEN_TTL: wholeNumber(900, 1, 86_400),
  REQUIRE_OTP: oneOf(['none', 'admin', 'all']).default('none'),
  OIDC_ISSUER: webAddress.optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_CLIENT_AUTH: oneOf(['client_secret_basic', 'client_secret_post']).optional(),
  OIDC_NAME: displayedName(40),
  OIDC_SCOPE: z
    .string()
    .refine((scope) => scope.split(' ').includes('openid'), { error: 'must contain openid' })
    .default('openid email profile'),
  OIDC_EMAIL_VERIFIED: oneOf(['claim', 'always']).default('claim'),
  OIDC_GROUPS_CLAIM: z.string().optional(),
  OIDC_ADMIN_CLAIM: adminClaim.optional(),
  OIDC_CREATE_ACCOUNTS: oneOf(['off', 'on']).default('off'),
  PASSWORD_SIGN_IN: oneOf(['on', 'off']).default('on'),
  ADMIN_USERNAME: z.string().default('admin'),
  ADMIN_EMAIL: z.string().default('admin@localhost.localdomain'),
  ADMIN_PASSWORD: z.string().optional(),
  CORS_ORIGINS: list.pipe(z.array(origin)),
  TRUST_PROXY: trustProxy,
  DEFAULT_LOCALE: oneOf(locales).default('en'),
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  WEB_CONCURRENCY: wholeNumber(1, 1, 64),
  SHUTDOWN_TIMEOUT: wholeNumber(10, 1, 86_400),
  RATE_LIMIT_PER_MINUTE: perMinute(1200),
  REDIS_URL: serverUrl(/^rediss?:\/\//, 'redis://user:password@host:6379, or rediss:// for TLS').optional(),
  CONTACT_FLOOD_PER_MINUTE: perMinute(60),
  CONTACT_PER_HOUR: z.literal('0', { error: 'must be 0, which removes the limits of an hour, for tests' }).optional(),
  MAX_TIMER_HOURS: hours.default(12),
  SCHOOL_WEEKDAYS: schoolWeekdays,
  IMAGE_CONCURRENCY: wholeNumber(2, 1, 16),
  STORAGE_URL: storageUrl.optional(),
  STORAGE_PUBLIC_URL: webAddress.optional(),
  BACKUP_SCHEDULE: backupSchedule.optional(),
  BACKUP_TO: folderOrStorageUrl.optional(),
  BACKUP_KEEP: wholeNumber(14, 1, 10_000),
  CAPTCHA_MODE: oneOf(['image', 'reveal']).default('image'),
  SPAM_WORDS_FILE: z.string().optional(),
  CONTACT_RETENTION_DAYS: wholeNumber(0, 0, 36_500),
  AUDIT_RETENTION_DAYS: wholeNumber(0, 0, 36_500),
  ADDRESS_RETENTION_DAYS: wholeNumber(0, 0, 36_500),
  ACCOUNT_RETENTION_DAYS: wholeNumber(0, 0, 36_500),
  SMTP_URL: serverUrl(/^smtps?:\/\//, 'smtps://user:password@host:465').optional(),
  MAIL_FROM: z.email({ error: 'must be an e-mail address' }).optional(),
  CONTACT_NOTIFY: list.pipe(z.array(z.email({ error: 'each must be an e-mail address' }))),
  WEBHOOK_TARGETS: oneOf(['public', 'any']).default('public'),
  SECURITY_CONTACT: z
    .string()
    .regex(/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, {
      error: 'must be mailto:name@example.org or an https:// address',
    })
    .optional(),
  METRICS_TOKEN: z
    .string()
    .min(16, { error: 'must have at least 16 characters; generate one with: openssl rand -hex 24' })
    .optional(),
});
export type Settings = z.output<typeof settingsSchema>;
