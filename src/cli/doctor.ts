import { connect } from '../boot/composition/database.ts';
import { startErrorLines } from '../boot/start-error.ts';
import type { Config } from '../config/config.ts';
import { type Database, findMissingSettings, openDatabase } from '../db/database.ts';
import { pendingMigrations } from '../db/migrate.ts';
import * as backupRepository from '../features/operations/backups/backup-repository.ts';
import { openBackupTarget } from '../features/operations/backups/backup-target.ts';
import { overdueSeconds } from '../features/operations/backups/scheduled-backups.ts';
import { createSmtpTransport } from '../features/operations/mail/mail-outbox.ts';
import { reasonOf } from '../lib/log/logged-error.ts';
import { openImageStorage } from '../lib/storage/open-storage.ts';
import type { Db } from '../transactions/transactions.ts';
import { defineCommand, withDatabase } from './command.ts';

const usage = `
Checks the settings, the database and its schema, the clock and the time zones, the image storage, the mail server, the proxy and the
backups, and says what to change. It changes nothing. The exit code is 1 if a check fails.

  studytrack doctor
`;

const maxClockSeconds = 5;
const maxOverdueSeconds = 2 * 3600; // as in docs/monitoring/alerts.yml

/** The problem, and what to do; undefined if there is none. */
type Check = () => Promise<string | undefined>;

const failing =
  (work: () => Promise<unknown>, cure: string): Check =>
  async () => {
    try {
      await work();
      return undefined;
    } catch (error) {
      const reason = error instanceof Error && error.cause === undefined ? error.message : reasonOf(error);
      return `${reason}. ${cure}`;
    }
  };

async function checkBackups(
  { schedule, to }: NonNullable<Config['backups']>,
  dataDir: string,
  db: Db,
): Promise<string | undefined> {
  try {
    await openBackupTarget({ to, dataDir }).assertWritable();
  } catch (error) {
    return `BACKUP_TO cannot be written: ${reasonOf(error)}. For a folder check owner, permissions and free space, for a bucket the key.`;
  }
  const status = await backupRepository.read(db);
  if (status.failures > 0) return `The last attempt failed at ${status.failed_at}: ${status.error}. See the log.`;
  if (status.finished_at === null) return 'There is none yet. Start the service, which writes the first one at once.';
  if (overdueSeconds(schedule, status, new Date()) < maxOverdueSeconds) return undefined;
  return `The last one is of ${status.finished_at}, and BACKUP_SCHEDULE is ${schedule.text}. Is the service running?`;
}

type ZoneRow = { zone: string; at: string; local: string };

/** The service computes by the rules of PostgreSQL. Those of Node.js tell whether they are old: of every month of four years, in the zones of accounts. */
async function checkTimeZones(knex: Database['knex']): Promise<string | undefined> {
  const { rows } = await knex.raw<{ rows: ZoneRow[] }>(`
    SELECT u.timezone AS zone, m AS at, to_char(m AT TIME ZONE u.timezone, 'YYYY-MM-DD HH24:MI:SS') AS local
    FROM (SELECT DISTINCT timezone FROM users) u,
      generate_series(date_trunc('month', now() - interval '2 years'), now() + interval '2 years', interval '1 month') m
    ORDER BY 1, 2`);
  const differing = rows.filter(({ zone, at, local }) => local !== localTime(at, zone));
  const [first] = differing;
  if (first === undefined) return undefined;
  const zones = new Set(differing.map(({ zone }) => zone));
  const { tz: rules } = process.versions;
  return (
    `PostgreSQL and Node.js (${rules}) have different rules for ${[...zones].join(', ')}: ` +
    `${first.at} is ${first.local} or ${localTime(first.at, first.zone)}. ` +
    'The service uses those of PostgreSQL. Update the older one; until then, browsers may show other times than statistics.'
  );
}

function localTime(at: string, timeZone: string): string {
  try {
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
    return format.format(new Date(at));
  } catch (error) {
    if (error instanceof RangeError) return 'unknown'; // Node.js has no such zone
    throw error;
  }
}

/** A check itself may fail, such as on the tables of another version. */
const problemOf = (error: unknown): string =>
  startErrorLines(error)?.join(' ') ?? `the check failed: ${reasonOf(error)}.`;

export const command = defineCommand(usage, {}, () =>
  withDatabase(
    async (database, config, { url }) => {
      const { knex } = database;
      const { images, mail, http, publicUrl, backups, dataDir } = config;
      const { smtpUrl } = mail;
      const checks: Readonly<Record<string, Check>> = {
        schema: async () => {
          const pending = (await pendingMigrations(knex)).length;
          return pending === 0
            ? undefined
            : `${pending} migrations are pending. Start the service, or run studytrack migrate.`;
        },
        connections: async () => {
          const service = openDatabase({ url, poolSize: 1 }); // commands have other timeouts
          const missing = await findMissingSettings(service).finally(service.close);
          if (missing.length === 0) return undefined;
          return `a pooler does not forward ${missing.join(', ')}. Set them for the role: docs/cluster/role.sql.`;
        },
        locale: async () => {
          const { rows } = await knex.raw<{ rows: { knows: boolean }[] }>(`SELECT '字' ~ '\\w' AS knows`);
          if (rows[0]?.knows) return undefined;
          return 'searches treat Chinese as punctuation. Restore a backup into a database made with --locale=C.UTF-8.';
        },
        clock: async () => {
          const { rows } = await knex.raw<{ rows: { now: Date }[] }>('SELECT now() AS now');
          const seconds = Math.abs(Date.now() - Number(new Date(rows[0]?.now ?? 0))) / 1000;
          if (seconds < maxClockSeconds) return undefined;
          return `it differs from that of the database by ${Math.round(seconds)} s. Synchronize both (NTP).`;
        },
        'time zones': () => checkTimeZones(knex),
        images: failing(() => openImageStorage(images).assertWritable(), 'See UPLOADS_DIR and STORAGE_URL.'),
        [smtpUrl === undefined ? 'mail (no mail server: SMTP_URL)' : 'mail']: failing(
          async () => smtpUrl === undefined || createSmtpTransport(smtpUrl).verify(),
          'See SMTP_URL: without mail, users cannot reset their passwords.',
        ),
        proxy: async () =>
          publicUrl?.startsWith('https:') === true && [http.trustProxy].flat().every((hops) => hops === 0)
            ? 'PUBLIC_URL is https, but TRUST_PROXY is not set: all clients share the limits of the proxy.'
            : undefined,
        [backups === undefined ? 'backups (none are scheduled: BACKUP_SCHEDULE)' : 'backups']: async () =>
          backups && checkBackups(backups, dataDir, connect(database)),
      };
      process.stdout.write('ok       settings, database\n');
      for (const [name, check] of Object.entries(checks)) {
        const problem = await check().catch(problemOf);
        process.stdout.write(problem === undefined ? `ok       ${name}\n` : `PROBLEM  ${name}: ${problem}\n`);
        if (problem !== undefined) process.exitCode = 1;
      }
    },
    { migrate: false },
  ),
);
