import {
  createFiguresRepository,
  type PersonDrift,
  type ProjectDrift,
} from '../features/study-sessions/figures-repository.ts';
import { runCommand } from './command.ts';
import { withDatabase } from './database.ts';

const usage = `
Holds the kept hours and record counts of all projects, and the kept hours of all people, against their records, and
sets right what differs.

  npm run projects:recalculate                 reports and repairs; safe while the service is running
  npm run projects:recalculate -- --dry-run    only reports
`;

function projectLine({ project_id, kept_seconds, true_seconds, kept_count, true_count }: ProjectDrift): string {
  return `project ${project_id}: kept ${kept_seconds} s in ${kept_count} records, true ${true_seconds} s in ${true_count}\n`;
}

function personLine({ user_id, kept_seconds, true_seconds }: PersonDrift): string {
  return `user ${user_id}: kept ${kept_seconds} s, true ${true_seconds} s\n`;
}

await runCommand(usage, { 'dry-run': { type: 'boolean', default: false } }, ({ values }) =>
  withDatabase(async (database) => {
    const figures = createFiguresRepository(database);
    const projects = await figures.findProjectDrift();
    const people = await figures.findPersonDrift();
    for (const line of [...projects.map(projectLine), ...people.map(personLine)]) process.stdout.write(line);
    if (projects.length + people.length === 0) process.stdout.write('no drift\n');
    if (projects.length + people.length === 0 || values['dry-run'] === true) return;
    if (projects.length > 0) await figures.repairProjects(projects.map((found) => found.project_id));
    for (const { user_id } of people) await figures.repairPerson(user_id);
    process.stdout.write(`repaired ${projects.length} projects and ${people.length} users\n`);
  }),
);
