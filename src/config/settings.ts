import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { projectRoot } from '../project-root.ts';
import { locales } from '../texts/index.ts';
import {
  adminClaim,
  backupSchedule,
  databaseUrl,
  displayedName,
  folderOrStorageUrl,
  hours,
  list,
  oneOf,
  origin,
  perMinute,
  publicUrl,
  schoolWeekdays,
  serverUrl,
  storageUrl,
  trustProxy,
  webAddress,
  wholeNumber,
} from './setting-types.ts';

/** npm puts installed packages there; a checkout and the image are elsewhere. */
const isInstalled = path.basename(path.dirname(projectRoot)) === 'node_modules';

/**
 * Where the service keeps its data without a setting: in a checkout in the present folder; an installed one may be started from any,
 * and keeps them where programs of a user do.
 */
export function defaultFolder(
  name: 'data' | 'uploads',
  installed = isInstalled,
  // biome-ignore lint/style/noProcessEnv: these are no settings of the service
  environment = process.env,
): string {
  return installed ? path.join(userFolder(environment), 'studytrack', name) : `./${name}`;
}

function userFolder({ XDG_DATA_HOME, LOCALAPPDATA }: NodeJS.ProcessEnv): string {
  if (process.platform === 'win32' && LOCALAPPDATA) return LOCALAPPDATA;
  if (process.platform === 'darwin') return path.join(os.homedir(), 'Library/Application Support');
  return XDG_DATA_HOME && path.isAbsolute(XDG_DATA_HOME) ? XDG_DATA_HOME : path.join(os.homedir(), '.local/share');
}

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
