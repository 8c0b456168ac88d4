import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { StartError } from '../boot/start-error.ts';
import { migrateDown, pendingMigrations } from '../db/migrations.ts';
import { projectRoot } from '../lib/project-root.ts';
import { runCommand } from './command.ts';
import { withDatabase } from './database.ts';

const usage = `
Changes the schema of the database (DATABASE_URL, or the embedded one).

  npm run migrate                        brings the schema to head; the service does the same when it starts
  npm run migrate -- status              lists what has not run yet
  npm run migrate:down                   undoes the newest migration; with -- --all every one
  npm run migrate:make -- create_things  writes a new, empty migration: verb_object
`;

const template = `import type { Knex } from 'knex';

/** Why this change. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(\`\`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(\`\`);
}
`;

function say(names: readonly string[], verb: string, nothing: string): void {
  process.stdout.write(names.length > 0 ? names.map((name) => `${verb} ${name}\n`).join('') : `${nothing}\n`);
}

async function make(name = ''): Promise<void> {
  if (!/^[a-z]+(_[a-z\d]+)+$/.test(name)) throw new StartError('Name it verb_object, such as create_things.');
  const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  const file = path.join(projectRoot, 'migrations', `${stamp}_${name}.ts`);
  await writeFile(file, template, { flag: 'wx' });
  process.stdout.write(`${path.relative(process.cwd(), file)}\n`);
}

const commands: Readonly<Record<string, (all: boolean, name: string | undefined) => Promise<void>>> = {
  up: () => withDatabase(async (_database, _config, { migrated }) => say(migrated, 'ran', 'The schema is at head.')),
  down: (all) =>
    withDatabase(async ({ knex }) => say(await migrateDown(knex, all), 'undid', 'There is nothing to undo.'), {
      migrate: false,
    }),
  status: () =>
    withDatabase(async ({ knex }) => say(await pendingMigrations(knex), 'pending', 'The schema is at head.'), {
      migrate: false,
    }),
  make: (_all, name) => make(name),
};

await runCommand(usage, { all: { type: 'boolean', default: false } }, async ({ values, positionals }) => {
  const [name = 'up', argument] = positionals;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new StartError(`There is no "${name}" here (see --help).`);
  await command(values.all === true, argument);
});
