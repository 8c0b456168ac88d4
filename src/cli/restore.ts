import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import path from 'node:path';
import { printError } from '../boot/start-error.ts';
import type { Config } from '../config/config.ts';
import { type Administrator, type Restored, readBackup } from '../db/backup/read.ts';
import { hasData } from '../db/backup/target-database.ts';
import { writeBackupFile } from '../db/backup/write.ts';
import type { Database } from '../db/database.ts';
import { migrateToLatest } from '../db/migrate.ts';
import { backupName } from '../features/operations/backups/backup-target.ts';
import { pictureType } from '../features/study/images/image-structure.ts';
import { makeFolder } from '../lib/folders.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { openImageStorage } from '../lib/storage/open-storage.ts';
import type { Storage } from '../lib/storage/storage.ts';
import { defineCommand, withDatabase } from './command.ts';

const usage = `
Loads a backup into the database (DATABASE_URL, or the embedded one) and the image store. Stop the service first.

  studytrack restore --from studytrack.tar.gz             into an empty database
  studytrack restore --from studytrack.tar.gz --replace   replaces the data of the database

All sign-ins, tokens, calendar addresses and links of the backup end, since some may have been taken away later, and mails and
deliveries that waited are not sent; --keep-access keeps them. Passwords and rights are those of the time of the backup.

Before it replaces data, it writes a backup of them to DATA_DIR/restore-points and prints its name. If anything fails, the
database is unchanged. To get an empty database, run createdb NAME and set DATABASE_URL to it, or remove data/postgres for
the embedded one.
`;

const options = {
  from: { type: 'string' },
  replace: { type: 'boolean', default: false },
  'keep-access': { type: 'boolean', default: false },
} as const;

export const command = defineCommand(usage, options, async ({ values, positionals }) => {
  const { from, replace = false, 'keep-access': keepsAccess = false } = values;
  if (from === undefined || positionals.length > 0) throw new OperatorError('--from FILE is required (see --help).');
  await access(from).catch(() => {
    throw new OperatorError(`${from} does not exist.`);
  });
  await withDatabase(
    async (database, config, { url }) => {
      const images = openImageStorage(config.images);
      const storeImage = (name: string, file: string) => images.put(name, file, pictureType(name));
      const replaces = replace && (await hasData(url));
      if (replaces) await warnOfOthers(database);
      if (replaces) await keepRestorePoint(database, config, url, images);
      const target = { url, replace, keepsAccess, storeImage, log: printError };
      const restored = await readBackup(target, () => createReadStream(from));
      const rows = Object.values(restored.rows).reduce((sum, count) => sum + count, 0);
      process.stdout.write(`${rows} rows and ${restored.pictures} images restored.\n`);
      process.stdout.write(describeAccess(restored, { replaces, keepsAccess }));
      if (replaces)
        process.stdout.write('Restart PostgreSQL before the service: programs that synchronize then start over.\n');
    },
    { migrate: false },
  );
});

/** Rights are those of the time of the backup: the command prints the accounts that have them, or wider ones, again. */
function describeAccess(restored: Restored, { replaces, keepsAccess }: { replaces: boolean; keepsAccess: boolean }) {
  const { administrators, former } = restored;
  const before = new Map(former.map((known) => [known.username, known]));
  const again = replaces ? administrators.filter(({ username }) => !before.has(username)) : [];
  const wider = administrators.flatMap((now) => {
    const then = before.get(now.username);
    return replaces && then !== undefined && isWider(now, then) ? [`${described(now)}, was ${scopeOf(then)}`] : [];
  });
  const lines = [
    keepsAccess
      ? 'Sign-ins, tokens and links of the backup are valid again.'
      : 'All sign-ins, tokens and links have ended; users sign in with the passwords that they had at the time of the backup.',
    `Administrators: ${administrators.map(described).join(', ') || 'none'}.`,
    ...(again.length > 0 ? [`Administrators again, who were not any more: ${again.map(described).join(', ')}.`] : []),
    ...(wider.length > 0 ? [`Administrators with more than before: ${wider.join('; ')}.`] : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** The whole school, or a group that is not among those of before. */
function isWider({ groups: now }: Administrator, { groups: then }: Administrator): boolean {
  return then !== null && (now === null || now.some(({ id }) => then.every((known) => known.id !== id)));
}

const scopeOf = ({ groups }: Administrator): string =>
  groups === null ? 'whole school' : `limited to ${groups.map(({ name }) => name).join(' and ') || 'no class'}`;
const described = (administrator: Administrator): string =>
  administrator.groups === null ? administrator.username : `${administrator.username} (${scopeOf(administrator)})`;

/** Of the latest schema, because only backups of that replace data. */
async function keepRestorePoint({ knex }: Database, { dataDir }: Config, url: string, images: Storage): Promise<void> {
  const folder = path.join(dataDir, 'restore-points');
  const file = path.join(folder, backupName(new Date()));
  await makeFolder(folder, 0o700);
  await migrateToLatest(knex);
  await writeBackupFile({ url, images, log: () => undefined }, file);
  process.stdout.write(`The present data are kept in ${file}.\n`);
}

/** Connections that are older than this process. */
async function warnOfOthers({ knex }: Database): Promise<void> {
  const { rows } = await knex.raw<{ rows: { count: number }[] }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'studytrack' AND backend_start < now() - make_interval(secs => ?)`,
    [process.uptime()],
  );
  const count = rows[0]?.count ?? 0;
  if (count > 0) printError(`Warning: a running service has ${count} connections to this database; stop it first.`);
}
