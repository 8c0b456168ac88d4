import { access, constants, rename } from 'node:fs/promises';
import path from 'node:path';
import { printError } from '../boot/start-error.ts';
import { writeBackupFile } from '../db/backup/write.ts';
import { pendingMigrations } from '../db/migrate.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { openImageStorage } from '../lib/storage/open-storage.ts';
import { defineCommand, withDatabase } from './command.ts';

const usage = `
Writes a consistent snapshot of the database and all images to one file. The service may be running.

  studytrack backup --to studytrack.tar.gz

The file contains password hashes and personal data and is readable by its owner only. It does not contain JWT_SECRET
(or the generated secret in DATA_DIR): with another secret everyone has to sign in again.
`;

export const command = defineCommand(usage, { to: { type: 'string' } }, async ({ values: { to }, positionals }) => {
  if (to === undefined || positionals.length > 0) throw new OperatorError('--to FILE is required (see --help).');
  const exists = await access(to).then(
    () => true,
    () => false,
  );
  if (exists) throw new OperatorError(`${to} already exists.`);
  await access(path.dirname(to), constants.W_OK).catch((error: unknown) => {
    throw new OperatorError(
      `${path.dirname(to)} cannot be written (${error instanceof Error ? error.message : error}).`,
    );
  });
  await withDatabase(
    async ({ knex }, config, { url }) => {
      await pendingMigrations(knex); // throws for a schema from which nothing could be restored
      const part = `${to}.part`;
      await writeBackupFile({ url, images: openImageStorage(config.images), log: printError }, part);
      await rename(part, to);
    },
    { migrate: false },
  );
  process.stdout.write(`Backup written to ${to}.\n`);
});
