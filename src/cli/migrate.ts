import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { migrateDown, pendingMigrations } from '../db/migrate.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { projectRoot } from '../project-root.ts';
import { defineCommand, withDatabase } from './command.ts';

const usage = `
Changes the schema of the database (DATABASE_URL, or the embedded one).

  studytrack migrate                     runs pending migrations; the service does the same when it starts
  studytrack migrate status              lists pending migrations
  studytrack migrate down [--all]        reverts the latest migration, or all of them
  studytrack migrate make create_things  writes a new, empty migration to migrations/ (in a checkout)
`;

const template = `import type { Knex } from 'knex';

/** Why. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(\`\`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(\`\`);
}
`;

const folder = path.join(projectRoot, 'migrations');

function report(names: readonly string[], verb: string, none: string): void {
  process.stdout.write(names.length > 0 ? names.map((name) => `${verb} ${name}\n`).join('') : `${none}\n`);
}

async function make(name = ''): Promise<void> {
  if (!/^[a-z]+(_[a-z\d]+)+$/.test(name))
    throw new OperatorError('The name must be verb_object, such as create_things.');
  if (!existsSync(folder)) throw new OperatorError('migrate make requires a checkout of the sources.');
  const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  const file = path.join(folder, `${stamp}_${name}.ts`);
  await writeFile(file, template, { flag: 'wx' });
  process.stdout.write(`${path.relative(process.cwd(), file)}\n`);
}

const upToDate = 'The schema is up to date.';

const subcommands: Readonly<Record<string, (all: boolean, name: string | undefined) => Promise<void>>> = {
  up: () =>
    withDatabase(async (_database, _config, { migrated }) =>
      report(
        migrated.migrations,
        'applied',
        migrated.newer.length > 0 ? 'The schema has a newer version than the service; it was not changed.' : upToDate,
      ),
    ),
  down: (all) =>
    withDatabase(async ({ knex }) => report(await migrateDown(knex, all), 'reverted', 'There is nothing to revert.'), {
      migrate: false,
    }),
  status: () =>
    withDatabase(async ({ knex }) => report(await pendingMigrations(knex), 'pending', upToDate), {
      migrate: false,
    }),
  make: (_all, name) => make(name),
};

export const command = defineCommand(
  usage,
  { all: { type: 'boolean', default: false } },
  async ({ values, positionals }) => {
    const [name = 'up', argument] = positionals;
    const subcommand = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
    if (subcommand === undefined) throw new OperatorError(`Unknown subcommand "${name}" (see --help).`);
    await subcommand(values.all === true, argument);
  },
);
