import { createFiguresRepository, type Drift } from '../features/study-sessions/figures-repository.ts';
import { runCommand } from './command.ts';
import { withDatabase } from './database.ts';

const usage = `
Holds the kept hours and record counts of all projects against their records, and sets right what differs.

  npm run projects:recalculate                 reports and repairs; safe while the service is running
  npm run projects:recalculate -- --dry-run    only reports
`;

function line({ project_id, kept_seconds, true_seconds, kept_count, true_count }: Drift): string {
  return `project ${project_id}: kept ${kept_seconds} s in ${kept_count} records, true ${true_seconds} s in ${true_count}\n`;
}

await runCommand(usage, { 'dry-run': { type: 'boolean', default: false } }, ({ values }) =>
  withDatabase(async (database) => {
    const figures = createFiguresRepository(database);
    const drift = await figures.findDrift();
    for (const found of drift) process.stdout.write(line(found));
    if (drift.length === 0) process.stdout.write('no drift\n');
    if (drift.length === 0 || values['dry-run'] === true) return;
    await figures.repair(drift.map((found) => found.project_id));
    process.stdout.write(`repaired ${drift.length} projects\n`);
  }),
);
