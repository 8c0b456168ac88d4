import { access, open, rename, rm } from 'node:fs/promises';
import { printError, StartError } from '../boot/start-error.ts';
import { writeBackup } from '../db/backup/write.ts';
import { openImageStorage } from '../features/images/image-storage.ts';
import { runCommand } from './command.ts';
import { withDatabase } from './database.ts';

const usage = `
Writes the database and all pictures, as of one moment, into one file. May run while the service does.

  npm run backup -- --to studytrack.tar.gz

The file holds password hashes and everything personal: only its owner may read it, and so it should stay. The secret
of the tokens (JWT_SECRET, or in DATA_DIR) is not in it; with another one everybody signs in again.
`;

await runCommand(usage, { to: { type: 'string' } }, async ({ values: { to }, positionals }) => {
  if (to === undefined || positionals.length > 0) throw new StartError('Give --to FILE (see --help).');
  const taken = await access(to).then(
    () => true,
    () => false,
  );
  if (taken) throw new StartError(`${to} is there already.`);
  await withDatabase(
    async (_database, config, { url }) => {
      const part = `${to}.part`;
      try {
        const pictures = openImageStorage(config.images);
        // Under its name only when it is whole. What an earlier run left would keep its own mode and owner.
        await rm(part, { force: true });
        const file = await open(part, 'wx', 0o600);
        await writeBackup({ url, pictures, say: printError }, file.createWriteStream({ flush: true }));
        await rename(part, to);
      } catch (error) {
        await rm(part, { force: true });
        throw error;
      }
    },
    { migrate: false },
  );
  process.stdout.write(`${to} is written.\n`);
});
