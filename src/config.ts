import path from 'node:path';
import { z } from 'zod';
import { parseStorageUrl } from './lib/storage/s3-storage.ts';
import { locales } from './messages/index.ts';

const seconds = (fallback: number, minimum = 1) => z.coerce.number().int().min(minimum).default(fallback);
const perMinute = (fallback: number) => z.coerce.number().int().min(0).max(1_000_000).default(fallback);
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

/** Hops in front of the service, or the addresses of its proxies. "All" is refused: then any client could choose its address. */
const trustProxy = z
  .string()
  .default('')
  .refine((text) => text === '' || /^\d{1,2}$/.test(text) || /^[\da-fA-F.:/, ]+$/.test(text), {
    error: 'must be a number of hops or a comma-separated list of addresses or CIDRs',
  })
  .transform((text): number | string[] =>
    /^\d+$/.test(text)
      ? Number(text)
      : text
          .split(',')
          .map((part) => part.trim())
          .filter(Boolean),
  );

/** Every setting, by the name of its environment variable. An empty value counts as absent. `.env.example` explains each. */
export const settingsSchema = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  HOST: z.string().default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(1).max(200).default(10),
  DATA_DIR: z.string().default('./data'),
  UPLOADS_DIR: z.string().default('./uploads'),
  JWT_SECRET: list.refine((secrets) => secrets.every((secret) => Buffer.byteLength(secret) >= 32), {
    error: 'each secret must have at least 32 bytes; make one with: openssl rand -base64 48',
  }),
  ACCESS_TOKEN_TTL: seconds(900).refine((ttl) => ttl <= 86_400, { error: 'must be at most a day (86400 seconds)' }),
  ADMIN_USERNAME: z.string().default('admin'),
  ADMIN_EMAIL: z.string().default('admin@localhost.localdomain'),
  ADMIN_PASSWORD: z.string().optional(),
  CORS_ORIGINS: list.pipe(z.array(origin)),
  TRUST_PROXY: trustProxy,
  DEFAULT_LOCALE: z.enum(locales).default('en'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  WEB_CONCURRENCY: z.coerce.number().int().min(1).max(64).default(1),
  SHUTDOWN_TIMEOUT: seconds(10),
  RATE_LIMIT_PER_MINUTE: perMinute(1200),
  CONTACT_FLOOD_PER_MINUTE: perMinute(60),
  MAX_TIMER_HOURS: z.coerce.number().positive().max(24).default(12),
  IMAGE_CONCURRENCY: z.coerce.number().int().min(1).max(16).default(2),
  STORAGE_URL: storageUrl.optional(),
  STORAGE_PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  CAPTCHA_MODE: z.enum(['image', 'reveal']).default('image'),
  SPAM_WORDS_FILE: z.string().optional(),
  CONTACT_RETENTION_DAYS: z.coerce.number().int().min(0).default(0),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  CONTACT_NOTIFY: list.pipe(z.array(z.email())),
  METRICS_TOKEN: z.string().min(16).optional(),
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

/** Long enough, and yet guessed at once: one word over and over, or an example from somebody's documentation. */
function isGuessable(secret: string): boolean {
  return new Set(secret).size < 10 || /secret|password|change.?me|example|default/i.test(secret);
}

/** The parts that must be given before the service may serve strangers. */
function productionRules(settings: Settings): string[] {
  if (settings.NODE_ENV !== 'production') return [];
  const lines: string[] = [];
  if (settings.JWT_SECRET.length === 0)
    lines.push('JWT_SECRET is required with NODE_ENV=production; make one with: openssl rand -base64 48');
  if (settings.JWT_SECRET.some(isGuessable))
    lines.push('JWT_SECRET can be guessed; make one with: openssl rand -base64 48');
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
    firstAdmin: { username: settings.ADMIN_USERNAME, email: settings.ADMIN_EMAIL, password: settings.ADMIN_PASSWORD },
    http: {
      corsOrigins: settings.CORS_ORIGINS,
      trustProxy: settings.TRUST_PROXY,
      defaultLocale: settings.DEFAULT_LOCALE,
      ratePerMinute: settings.RATE_LIMIT_PER_MINUTE,
      metricsToken: settings.METRICS_TOKEN,
    },
    timer: { maxHours: settings.MAX_TIMER_HOURS },
    images: {
      concurrency: settings.IMAGE_CONCURRENCY,
      uploadsDir: settings.UPLOADS_DIR,
      storageUrl: settings.STORAGE_URL,
      storagePublicUrl: settings.STORAGE_PUBLIC_URL,
    },
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
