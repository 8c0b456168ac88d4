import { connect } from '../boot/composition/database.ts';
import { listUnused, usedByProjects } from '../features/study/images/image-storage.ts';
import { openImageStorage } from '../lib/storage/open-storage.ts';
import { defineCommand, withDatabase } from './command.ts';

const usage = `
Deletes image files that no project uses (a project in the trash still uses its image), and incomplete copies. Files
younger than an hour are not deleted. The service may be running.

  studytrack uploads:prune
  studytrack uploads:prune --dry-run   only lists them
`;

export const command = defineCommand(usage, { 'dry-run': { type: 'boolean', default: false } }, ({ values }) =>
  withDatabase(async (database, config) => {
    const anHourAgo = new Date(Date.now() - 3_600_000);
    const storage = openImageStorage(config.images);
    let files = 0;
    for await (const name of listUnused(storage, anHourAgo, usedByProjects(connect(database)))) {
      if (values['dry-run'] !== true) await storage.delete(name);
      process.stdout.write(`${values['dry-run'] === true ? 'would remove' : 'removed'} ${name}\n`);
      files += 1;
    }
    if (files === 0) process.stdout.write('There is nothing to remove.\n');
  }),
);
