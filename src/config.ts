import path from 'node:path';
import { z } from 'zod';
import { isGuessable } from './lib/secret-strength.ts';
import { parseStorageUrl } from './lib/storage/s3-storage.ts';
import { parseTrustedProxies, type TrustedProxies } from './lib/trusted-proxies.ts';
import { locales } from './messages/index.ts';

/** A whole number; texts of its own, because an operator reads them. */
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

const databaseUrl = z.string().refine((text) => /^postgres(ql)?:\/\//.test(text) && URL.canParse(text), {
  error: 'must look like postgres://user:password@host:5432/database',
});

const storageUrl = z.string().superRefine((text, context) => {
  try {
    parseStorageUrl(text);
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : 'invalid' });
  }
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

const hoursError = 'must be a number of hours above 0, at most 24';

/** Every setting, by the name of its environment variable. An empty value counts as absent. `.env.example` explains each. */
export const settingsSchema = z.object({
  NODE_ENV: oneOf(['development', 'test', 'production']).default('development'),
  HOST: z.string().default('127.0.0.1'),
  PORT: wholeNumber(3000, 0, 65_535),
  PUBLIC_URL: webAddress.optional(),
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_POOL_SIZE: wholeNumber(10, 1, 200),
  DATA_DIR: z.string().default('./data'),
  UPLOADS_DIR: z.string().default('./uploads'),
  JWT_SECRET: list.refine((secrets) => secrets.every((secret) => Buffer.byteLength(secret) >= 32), {
    error: 'each secret must have at least 32 bytes; make one with: openssl rand -base64 48',
  }),
  ACCESS_TOKEN_TTL: wholeNumber(900, 1, 86_400),
  REQUIRE_OTP: z.enum(['none', 'admin', 'all']).default('none'),
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
  CONTACT_FLOOD_PER_MINUTE: perMinute(60),
  MAX_TIMER_HOURS: z.coerce
    .number({ error: hoursError })
    .positive({ error: hoursError })
    .max(24, { error: hoursError })
    .default(12),
  IMAGE_CONCURRENCY: wholeNumber(2, 1, 16),
  STORAGE_URL: storageUrl.optional(),
  STORAGE_PUBLIC_URL: webAddress.optional(),
  CAPTCHA_MODE: oneOf(['image', 'reveal']).default('image'),
  SPAM_WORDS_FILE: z.string().optional(),
  CONTACT_RETENTION_DAYS: wholeNumber(0, 0, 36_500),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must look like smtps://user:password@host:465' }).optional(),
  MAIL_FROM: z.email({ error: 'must be an e-mail address' }).optional(),
  CONTACT_NOTIFY: list.pipe(z.array(z.email({ error: 'each must be an e-mail address' }))),
  SECURITY_CONTACT: z
    .string()
    .regex(/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, {
      error: 'must be mailto:name@example.org or an https:// address',
    })
    .optional(),
  METRICS_TOKEN: z
    .string()
    .min(16, { error: 'must have at least 16 characters; make one with: openssl rand -hex 24' })
    .optional(),
});
export type Settings = z.output<typeof settingsSchema>;

/** Raised for settings that cannot be served: one line each, naming the variable and what to change. */
export class ConfigError extends Error {
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.name = 'ConfigError';
    this.lines = lines;
  }
}

/** The parts that must be given before the service may serve strangers. */
function productionRules(settings: Settings): string[] {
  if (settings.NODE_ENV !== 'production') return [];
  const lines: string[] = [];
  if (settings.JWT_SECRET.length === 0)
    lines.push('JWT_SECRET is required with NODE_ENV=production; make one with: openssl rand -base64 48');
  if (settings.JWT_SECRET.some(isGuessable))
    lines.push('JWT_SECRET can be guessed; make one with: openssl rand -base64 48');
  if (settings.METRICS_TOKEN !== undefined && isGuessable(settings.METRICS_TOKEN))
    lines.push('METRICS_TOKEN can be guessed; make one with: openssl rand -hex 24');
  if (settings.DATABASE_URL === undefined)
    lines.push('DATABASE_URL is required with NODE_ENV=production: postgres://user:password@host:5432/database');
  if (settings.CAPTCHA_MODE === 'reveal')
    lines.push('CAPTCHA_MODE=reveal gives the answers away and is refused with NODE_ENV=production');
  return lines;
}

/** Reads the settings from an environment. Throws ConfigError, which names every wrong one at once. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = settingsSchema.safeParse(given);
  if (!parsed.success)
    throw new ConfigError(parsed.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`));
  const broken = productionRules(parsed.data);
  if (broken.length > 0) throw new ConfigError(broken);
  return group(parsed.data);
}

function group(settings: Settings) {
  return Object.freeze({
    production: settings.NODE_ENV === 'production',
    host: settings.HOST,
    port: settings.PORT,
    publicUrl: settings.PUBLIC_URL,
    processes: settings.WEB_CONCURRENCY,
    shutdownSeconds: settings.SHUTDOWN_TIMEOUT,
    logLevel: settings.LOG_LEVEL,
    dataDir: settings.DATA_DIR,
    /** Where uploads are received: private, and apart from what is served. */
    incomingDir: path.join(settings.DATA_DIR, 'incoming'),
    database: {
      url: settings.DATABASE_URL,
      poolSize: settings.DATABASE_POOL_SIZE,
      guardTransactions: settings.NODE_ENV !== 'production',
    },
    tokens: { secrets: settings.JWT_SECRET, accessSeconds: settings.ACCESS_TOKEN_TTL },
    /** Who must enable a second factor before anything else. */
    requireOtp: settings.REQUIRE_OTP,
    firstAdmin: { username: settings.ADMIN_USERNAME, email: settings.ADMIN_EMAIL, password: settings.ADMIN_PASSWORD },
    http: {
      corsOrigins: settings.CORS_ORIGINS,
      trustProxy: settings.TRUST_PROXY,
      defaultLocale: settings.DEFAULT_LOCALE,
      ratePerMinute: settings.RATE_LIMIT_PER_MINUTE,
      metricsToken: settings.METRICS_TOKEN,
      /** Without a token the figures are open for development only. */
      openMetrics: settings.NODE_ENV !== 'production',
      securityContact: settings.SECURITY_CONTACT,
    },
    timer: { maxHours: settings.MAX_TIMER_HOURS },
    images: {
      concurrency: settings.IMAGE_CONCURRENCY,
      uploadsDir: settings.UPLOADS_DIR,
      storageUrl: settings.STORAGE_URL,
      storagePublicUrl: settings.STORAGE_PUBLIC_URL,
    },
    mail: { smtpUrl: settings.SMTP_URL, from: settings.MAIL_FROM },
    contact: {
      captchaMode: settings.CAPTCHA_MODE,
      spamWordsFile: settings.SPAM_WORDS_FILE,
      retentionDays: settings.CONTACT_RETENTION_DAYS,
      floodPerMinute: settings.CONTACT_FLOOD_PER_MINUTE,
      smtpUrl: settings.SMTP_URL,
      notify: settings.CONTACT_NOTIFY,
    },
  });
}
export type Config = ReturnType<typeof group>;
