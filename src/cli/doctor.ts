import { pendingMigrations } from '../db/migrate.ts';
import { openImageStorage } from '../features/images/image-storage.ts';
import { createSmtpTransport } from '../features/mail/mail-outbox.ts';
import { defineCommand, withDatabase } from './command.ts';

const usage = `
Checks the settings, the database and its schema, the clock, the image storage, the mail server and the proxy, and says
what to change. It changes nothing. The exit code is 1 if a check fails.

  studytrack doctor
`;

const maxClockSeconds = 5;

/** The problem, and what to do; undefined if there is none. */
type Check = () => Promise<string | undefined>;

const failing =
  (work: () => Promise<unknown>, cure: string): Check =>
  async () => {
    try {
      await work();
      return undefined;
    } catch (error) {
      return `${error instanceof Error ? error.message : error}. ${cure}`;
    }
  };

export const command = defineCommand(usage, {}, () =>
  withDatabase(
    async ({ knex }, config) => {
      const { images, mail, http, publicUrl } = config;
      const { smtpUrl } = mail;
      const checks: Readonly<Record<string, Check>> = {
        schema: async () => {
          const pending = (await pendingMigrations(knex)).length;
          return pending === 0
            ? undefined
            : `${pending} migrations are pending. Start the service, or run studytrack migrate.`;
        },
        clock: async () => {
          const { rows } = await knex.raw<{ rows: { now: Date }[] }>('SELECT now() AS now');
          const seconds = Math.abs(Date.now() - Number(new Date(rows[0]?.now ?? 0))) / 1000;
          if (seconds < maxClockSeconds) return undefined;
          return `it differs from that of the database by ${Math.round(seconds)} s. Synchronize both (NTP).`;
        },
        images: failing(() => openImageStorage(images).assertWritable(), 'See UPLOADS_DIR and STORAGE_URL.'),
        mail: failing(
          async () => smtpUrl === undefined || createSmtpTransport(smtpUrl).verify(),
          'See SMTP_URL: without mail, users cannot reset their passwords.',
        ),
        proxy: async () =>
          publicUrl?.startsWith('https:') === true && [http.trustProxy].flat().every((hops) => hops === 0)
            ? 'PUBLIC_URL is https, but TRUST_PROXY is not set: all clients share the limits of the proxy.'
            : undefined,
      };
      process.stdout.write('ok       settings, database\n');
      for (const [name, check] of Object.entries(checks)) {
        const problem = await check();
        process.stdout.write(problem === undefined ? `ok       ${name}\n` : `PROBLEM  ${name}: ${problem}\n`);
        if (problem !== undefined) process.exitCode = 1;
      }
    },
    { migrate: false },
  ),
);
