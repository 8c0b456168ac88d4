import { printError } from '../boot/start-error.ts';
import { nearestName } from '../lib/parse-options.ts';
import { version } from '../project-root.ts';
import { type Command, runCommand } from './command.ts';

type Entry = { summary: string; load: () => Promise<{ command: Command }> };

const commands: Readonly<Record<string, Entry>> = {
  migrate: {
    summary: 'update the database schema; status, down, make',
    load: () => import('./migrate.ts'),
  },
  'admin:create': { summary: 'create an administrator', load: () => import('./admin-create.ts') },
  'admin:reset': { summary: 'give an administrator a new password', load: () => import('./admin-reset.ts') },
  doctor: { summary: 'check settings and surroundings', load: () => import('./doctor.ts') },
  backup: { summary: 'write database and images to a file', load: () => import('./backup.ts') },
  restore: { summary: 'load a backup', load: () => import('./restore.ts') },
  seed: { summary: 'fill an empty database with demo data', load: () => import('./seed.ts') },
  'projects:recalculate': {
    summary: 'check and repair the stored hours of projects and users',
    load: () => import('./projects-recalculate.ts'),
  },
  retention: {
    summary: 'remove data after their retention',
    load: () => import('./retention.ts'),
  },
  'uploads:prune': {
    summary: 'delete unused image files',
    load: () => import('./uploads-prune.ts'),
  },
  openapi: { summary: 'write the OpenAPI document', load: () => import('./openapi.ts') },
};

const usage = `
studytrack <command> [options]

  start                 start the service
${Object.entries(commands)
  .map(([name, { summary }]) => `  ${name.padEnd(21)} ${summary}`)
  .join('\n')}

studytrack <command> --help describes a command, studytrack --version prints the version. In a checkout: npm run <command> -- [options].
Settings come from the environment or a .env file, as for the service.
`;

const [name = '--help', ...args] = process.argv.slice(2);
const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (entry !== undefined) {
  const { command } = await entry.load();
  await runCommand(command, args);
} else if (name === 'start') {
  await import('../boot/start.ts');
} else if (name === '--help' || name === '-h' || name === 'help') {
  process.stdout.write(`${usage.trim()}\n`);
} else if (name === '--version') {
  process.stdout.write(`${version}\n`);
} else {
  const nearest = nearestName(name, ['start', ...Object.keys(commands)]);
  const hint = nearest === undefined ? 'see --help' : `did you mean ${nearest}?`;
  printError(`Unknown command "${name}"; ${hint}`);
  process.exitCode = 1;
}
