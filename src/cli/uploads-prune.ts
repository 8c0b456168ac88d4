import { openImageStorage } from '../features/images/image-storage.ts';
import { listUnused, namedByProjects } from '../features/images/unused-files.ts';
import { runCommand } from './command.ts';
import { withDatabase } from './database.ts';

const usage = `
Removes files that nothing needs: pictures that no project names (a project in the trash keeps its own), and half
copies of them. Never a file younger than an hour. May run while the service does.

  npm run uploads:prune
  npm run uploads:prune -- --dry-run   only says what it would remove
`;

await runCommand(usage, { 'dry-run': { type: 'boolean', default: false } }, ({ values }) =>
  withDatabase(async (database, config) => {
    const anHourAgo = new Date(Date.now() - 3_600_000);
    const storage = openImageStorage(config.images);
    let files = 0;
    for await (const name of listUnused(storage, anHourAgo, namedByProjects(database))) {
      if (values['dry-run'] !== true) await storage.delete(name);
      process.stdout.write(`${values['dry-run'] === true ? 'would remove' : 'removed'} ${name}\n`);
      files += 1;
    }
    if (files === 0) process.stdout.write('There is nothing to remove.\n');
  }),
);
