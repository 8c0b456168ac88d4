import { execFile } from 'node:child_process';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { projectRoot } from '../../src/project-root.ts';
import { createTestDatabase } from '../support/database.ts';
import { ask, runProgram, signIn, temporaryFolder } from '../support/service-process.ts';

const runFile = promisify(execFile);

const migration = `import type { Knex } from 'knex';

export const up = async (knex: Knex): Promise<void> => {
  await knex.raw("ALTER TABLE projects ADD COLUMN place text NOT NULL DEFAULT '' CHECK (char_length(place) <= 30)");
};

export const down = async (knex: Knex): Promise<void> => {
  await knex.raw('ALTER TABLE projects DROP COLUMN place');
};
`;

const field = `
  place: {
    column: t.text,
    shown: z.string().meta({ example: 'Library' }),
    create: text({ max: 30 }).default(''),
    change: text({ max: 30 }).optional(),
  },
};

type Fields = typeof fields;`;

/** The checkout, without the web application and what is installed. */
async function copyCheckout(): Promise<string> {
  const folder = await temporaryFolder();
  for (const name of [
    'assets',
    'src',
    'client',
    'migrations',
    'db',
    'docs',
    'scripts',
    'seeds',
    'package.json',
    'tsconfig.json',
  ])
    await cp(path.join(projectRoot, name), path.join(folder, name), { recursive: true });
  await symlink(path.join(projectRoot, 'node_modules'), path.join(folder, 'node_modules'));
  return folder;
}

// As CONTRIBUTING says: the migration and the entry in `project-fields.ts` are all that is written by hand.
test('a new field of a project is shown by list, detail, synchronization, export, document and client', async () => {
  const checkout = await copyCheckout();
  const fieldsFile = path.join(checkout, 'src/features/study/project-access/project-fields.ts');
  await writeFile(path.join(checkout, 'migrations/29991231000000_add_project_place.ts'), migration);
  const before = await readFile(fieldsFile, 'utf8');
  const after = before.replace(/\n};\n\ntype Fields = typeof fields;/, field);
  expect(after).not.toBe(before);
  await writeFile(fieldsFile, after);

  const tsx = (...words: string[]) => runFile(process.execPath, ['--import', 'tsx', ...words], { cwd: checkout });
  await runFile(
    process.execPath,
    ['node_modules/typescript/bin/tsc', '--noEmit', '--incremental', 'false', '--tsBuildInfoFile', 'null'],
    {
      cwd: checkout,
    },
  );
  await tsx('src/cli/main.ts', 'openapi');
  await tsx('client/generate.ts');
  const document = JSON.parse(await readFile(path.join(checkout, 'docs/openapi.json'), 'utf8'));
  expect(document.components.schemas.Project.properties.place).toEqual({ type: 'string', example: 'Library' });
  expect(await readFile(path.join(checkout, 'client/src/api.ts'), 'utf8')).toContain('place');

  const { url, drop } = await createTestDatabase({ poolSize: 1 });
  onTestFinished(drop);
  const service = runProgram(process.execPath, ['--import', 'tsx', 'src/server.ts'], {
    cwd: checkout,
    env: { PATH: process.env['PATH'], PORT: '0', DATABASE_URL: url, ADMIN_PASSWORD: 'correct horse battery' },
  });
  const origin = await service.seen(/"origin":"([^"]+)".*"ready"/);
  const token = await signIn(origin, 'admin', 'correct horse battery');
  const send = async (method: string, where: string, body?: object) => {
    const answer = await ask(origin, method, where, { token, ...(body && { body }) });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body.data;
  };
  const account = { username: 'lin', email: 'lin@example.org', password: 'a good password' };
  const student = await send('POST', '/api/admin/users', account);
  const shown = { name: 'Piano', place: 'Library' };
  const asked = { ...shown, assigned_user_ids: [student?.['id']] };
  const created = await send('POST', '/api/projects', asked);
  expect(created).toMatchObject(shown);
  expect(await send('PUT', `/api/projects/${created?.['id']}`, { place: 'Home' })).toMatchObject({ place: 'Home' });
  const changed = { ...shown, place: 'Home' };
  expect(await send('GET', `/api/projects/${created?.['id']}`)).toMatchObject(changed);
  expect(await send('GET', '/api/projects')).toMatchObject({ projects: [changed] });
  expect(await send('GET', '/api/sync')).toMatchObject({ projects: [changed] });
  const refused = await ask(origin, 'POST', '/api/projects', { token, body: { ...asked, place: 'x'.repeat(31) } });
  expect(refused).toMatchObject({ status: 400, body: { error: { details: [{ field: 'place' }] } } });

  await send('POST', '/api/me/export');
  const file = () => fetch(`${origin}/api/me/export/file`, { headers: { Authorization: `Bearer ${token}` } });
  await expect.poll(async () => (await file()).status).toBe(200);
  const archive = gunzipSync(Buffer.from(await (await file()).arrayBuffer())).toString();
  expect(archive).toMatch(/"name":\s*"Piano".*?"place":\s*"Home"/s);
});
