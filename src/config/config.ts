import path from 'node:path';
import { isGuessable } from '../lib/secrets/secret-strength.ts';
import { type Settings, settingsSchema } from './settings.ts';

export class ConfigError extends Error {
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.name = 'ConfigError';
    this.lines = lines;
  }
}

function productionRules(settings: Settings): string[] {
  if (settings.NODE_ENV !== 'production') return [];
  const lines: string[] = [];
  if (settings.JWT_SECRET.length === 0)
    lines.push('JWT_SECRET is required with NODE_ENV=production; generate one with: openssl rand -base64 48');
  if (settings.JWT_SECRET.some(isGuessable))
    lines.push('JWT_SECRET can be guessed; generate one with: openssl rand -base64 48');
  if (settings.METRICS_TOKEN !== undefined && isGuessable(settings.METRICS_TOKEN))
    lines.push('METRICS_TOKEN can be guessed; generate one with: openssl rand -hex 24');
  if (settings.DATABASE_URL === undefined)
    lines.push('DATABASE_URL is required with NODE_ENV=production: postgres://user:password@host:5432/database');
  if (settings.CAPTCHA_MODE === 'reveal')
    lines.push('CAPTCHA_MODE=reveal shows the solutions and is not allowed with NODE_ENV=production');
  if (settings.CONTACT_PER_HOUR !== undefined)
    lines.push('CONTACT_PER_HOUR=0 removes limits and is not allowed with NODE_ENV=production');
  return lines;
}

function backupRules({ BACKUP_SCHEDULE, BACKUP_TO }: Settings): string[] {
  if (BACKUP_SCHEDULE !== undefined && BACKUP_TO === undefined)
    return ['BACKUP_SCHEDULE requires BACKUP_TO: the folder or the S3-compatible store of the backups'];
  if (BACKUP_SCHEDULE === undefined && BACKUP_TO !== undefined)
    return ['BACKUP_TO requires BACKUP_SCHEDULE: a time of day such as 03:00, or a number of hours such as 6h'];
  return [];
}

function singleSignOnRules(settings: Settings): string[] {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, PUBLIC_URL, PASSWORD_SIGN_IN } = settings;
  if (OIDC_ISSUER === undefined)
    return PASSWORD_SIGN_IN === 'off' ? ['PASSWORD_SIGN_IN=off requires OIDC_ISSUER: nobody could sign in'] : [];
  const needed = { OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, PUBLIC_URL };
  const missing = Object.entries(needed).flatMap(([name, value]) => (value === undefined ? [name] : []));
  const { protocol, hostname } = new URL(OIDC_ISSUER);
  const isOpen = protocol === 'http:' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  return [
    ...(missing.length > 0 ? [`OIDC_ISSUER requires ${missing.join(', ')}`] : []),
    ...(isOpen ? ['OIDC_ISSUER must begin with https://: tokens would cross the network unencrypted'] : []),
  ];
}

/** Shorter than a summer, accounts would be deactivated that are still used. */
const minimumAccountDays = 180;

function retentionRules({ ACCOUNT_RETENTION_DAYS: days, SMTP_URL }: Settings): string[] {
  if (days === 0) return [];
  return [
    ...(days < minimumAccountDays ? [`ACCOUNT_RETENTION_DAYS must be 0 or at least ${minimumAccountDays}`] : []),
    ...(SMTP_URL === undefined ? ['ACCOUNT_RETENTION_DAYS requires SMTP_URL: a mail announces the deactivation'] : []),
  ];
}

/** An empty value counts as absent. Throws ConfigError with all invalid settings. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const values = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = settingsSchema.safeParse(values);
  if (!parsed.success)
    throw new ConfigError(parsed.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`));
  const rules = [productionRules, backupRules, singleSignOnRules, retentionRules];
  const violations = rules.flatMap((rule) => rule(parsed.data));
  if (violations.length > 0) throw new ConfigError(violations);
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
    /** Messages of errors may contain request data. */
    logsMessages: settings.NODE_ENV !== 'production',
    dataDir: settings.DATA_DIR,
    incomingDir: path.join(settings.DATA_DIR, 'incoming'),
    database: {
      url: settings.DATABASE_URL,
      poolSize: settings.DATABASE_POOL_SIZE,
      guardTransactions: settings.NODE_ENV !== 'production',
    },
    redisUrl: settings.REDIS_URL,
    tokens: { secrets: settings.JWT_SECRET, accessSeconds: settings.ACCESS_TOKEN_TTL },
    requireOtp: settings.REQUIRE_OTP,
    siteName: settings.SITE_NAME,
    passwordSignIn: settings.PASSWORD_SIGN_IN === 'on',
    singleSignOn: singleSignOn(settings),
    webhookTargets: settings.WEBHOOK_TARGETS,
    firstAdmin: { username: settings.ADMIN_USERNAME, email: settings.ADMIN_EMAIL, password: settings.ADMIN_PASSWORD },
    http: {
      corsOrigins: settings.CORS_ORIGINS,
      trustProxy: settings.TRUST_PROXY,
      defaultLocale: settings.DEFAULT_LOCALE,
      ratePerMinute: settings.RATE_LIMIT_PER_MINUTE,
      metricsToken: settings.METRICS_TOKEN,
      openMetrics: settings.NODE_ENV !== 'production',
      securityContact: settings.SECURITY_CONTACT,
    },
    schoolYear: { weekdays: settings.SCHOOL_WEEKDAYS },
    timer: { maxHours: settings.MAX_TIMER_HOURS },
    images: {
      concurrency: settings.IMAGE_CONCURRENCY,
      uploadsDir: settings.UPLOADS_DIR,
      storageUrl: settings.STORAGE_URL,
      storagePublicUrl: settings.STORAGE_PUBLIC_URL,
    },
    backups: scheduledBackups(settings),
    mail: { smtpUrl: smtpUrl(settings), from: settings.MAIL_FROM },
    retention: {
      auditDays: settings.AUDIT_RETENTION_DAYS,
      addressDays: settings.ADDRESS_RETENTION_DAYS,
      accountDays: settings.ACCOUNT_RETENTION_DAYS,
    },
    contact: {
      captchaMode: settings.CAPTCHA_MODE,
      spamWordsFile: settings.SPAM_WORDS_FILE,
      retentionDays: settings.CONTACT_RETENTION_DAYS,
      floodPerMinute: settings.CONTACT_FLOOD_PER_MINUTE,
      limitsPerHour: settings.CONTACT_PER_HOUR === undefined,
      smtpUrl: smtpUrl(settings),
      notify: settings.CONTACT_NOTIFY,
    },
  });
}

/**
 * With the name by which the service introduces itself (`?name=`). Otherwise it would be that of the machine, which in a container is
 * no name, and some mail servers close the connection.
 */
function smtpUrl({ SMTP_URL: given, PUBLIC_URL, MAIL_FROM }: Settings): string | undefined {
  if (given === undefined) return undefined;
  const url = new URL(given);
  const sender = MAIL_FROM ?? decodeURIComponent(url.username);
  const names = [PUBLIC_URL === undefined ? '' : new URL(PUBLIC_URL).hostname, sender.split('@')[1] ?? ''];
  const name = names.find((candidate) => /^(?!localhost)[\w-]+(\.[\w-]+)*\.[a-z][\w-]*$/i.test(candidate));
  if (name === undefined || url.searchParams.has('name')) return given;
  url.searchParams.set('name', name);
  return url.href;
}

/** Undefined without a provider. */
function singleSignOn(settings: Settings) {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = settings;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return undefined;
  return {
    issuer,
    clientId,
    clientSecret,
    clientAuth: settings.OIDC_CLIENT_AUTH,
    name: settings.OIDC_NAME,
    scope: settings.OIDC_SCOPE,
    groupsClaim: settings.OIDC_GROUPS_CLAIM,
    adminClaim: settings.OIDC_ADMIN_CLAIM,
    trustsAddresses: settings.OIDC_EMAIL_VERIFIED === 'always',
    createsAccounts: settings.OIDC_CREATE_ACCOUNTS === 'on',
  };
}

/** Undefined if none are scheduled. */
function scheduledBackups({ BACKUP_SCHEDULE: schedule, BACKUP_TO: to, BACKUP_KEEP: keep }: Settings) {
  return schedule === undefined || to === undefined ? undefined : { schedule, to, keep };
}

export type Config = ReturnType<typeof group>;
