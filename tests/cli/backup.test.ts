import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, readdir, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import tar from 'tar-stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Manifest } from '../../src/db/backup/archive.ts';
import type { Executor } from '../../src/db/executor.ts';
import { createAccount, signIn } from '../support/accounts.ts';
import { contactSettings, getCaptcha, submit } from '../support/contact.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type ImageApp, startImageApp } from '../support/image-app.ts';
import { onePixel } from '../support/one-pixel.ts';
import { newToken } from '../support/personal-tokens.ts';
import { run, temporaryFolder } from '../support/service-process.ts';
import { startTestApp, type TestUser } from '../support/test-app.ts';

let app: ImageApp;
let admin: TestUser;
let assignee: TestUser;
beforeAll(async () => {
  app = await startImageApp({ settings: contactSettings });
  admin = await app.createUser({ role: 'admin' });
  assignee = await app.createUser();
  await fill();
});
afterAll(() => app.stop());

/** Something in every table that requests can fill. */
async function fill(): Promise<void> {
  const lin = await createAccount(app);
  const signedIn = await signIn(app, lin);
  await app.anonymous.post('/api/auth/login', { username: lin.username, password: 'a wrong password' }).expect(401);
  const name = 'Tabs\tand\\N, 项目 🎓';
  const created = await app
    .as(admin)
    .post('/api/projects', { name, description: 'two\nlines\r\n', target_hours: 1, assigned_user_ids: [lin.id] })
    .set('Idempotency-Key', 'the-first-project')
    .expect(201);
  const id = created.body.data.id;
  await app.upload(admin, id, await onePixel()).expect(200);
  await app
    .as(signedIn)
    .post(`/api/projects/${id}/sessions`, {
      started_at: '2026-03-01T05:00:00Z',
      duration_seconds: 3661,
      note: 'a\\.\nb',
      tags: ['exam'],
    })
    .expect(201);
  await app.as(signedIn).post('/api/timer/start', { project_id: id }).expect(201);
  await app.query(
    `WITH import AS (
       INSERT INTO session_imports (user_id, dry_run, created_at, renewed_at) VALUES ($1, false, now(), now()) RETURNING id)
     INSERT INTO session_import_rows
       (import_id, row, project_id, project_name, started_at, ended_at, note, tags, source, time_zone, auto_stopped)
     SELECT id, 2, 0, 'Algebra', now(), now(), '', '{}', 'manual', 'UTC', false FROM import`,
    [lin.id],
  );
  await app
    .as(admin)
    .post('/api/admin/groups', { name: 'Class 3', user_ids: [lin.id] })
    .expect(201);
  const trashed = await app
    .as(admin)
    .post('/api/projects', { name: 'Gone', assigned_user_ids: [lin.id] })
    .expect(201);
  await app
    .as(signedIn)
    .post(`/api/projects/${trashed.body.data.id}/sessions`, {
      started_at: '2026-01-05T08:00:00Z',
      duration_seconds: 60,
    })
    .expect(201);
  await app.as(admin).put(`/api/projects/${trashed.body.data.id}`, { status: 'paused' }).expect(200);
  await app.as(admin).delete(`/api/projects/${trashed.body.data.id}`).expect(200);
  const leaving = await app.createUser();
  await app.as(admin).delete(`/api/admin/users/${leaving.id}`).expect(200);
  expect((await submit(app)).status).toBe(201);
  await app.query(
    `INSERT INTO email_changes (user_id, email, token_hash, created_at, expires_at)
     VALUES ($1, 'lin.new@example.org', sha256('token'), now(), now() + interval '1 day')`,
    [lin.id],
  );
  await app.as(admin).post(`/api/admin/users/${lin.id}/reset-link`, {}).expect(200);
  await app.query(
    `WITH notice AS (INSERT INTO account_notices (user_id, notice, since) SELECT min(id), 'password_changed', now() FROM users)
     INSERT INTO password_reset_requests (email, locale, requested_at) VALUES ('lin@example.org', 'en', now())`,
  );
  await app.as(signedIn).post('/api/me/export', {}).expect(202);
  await app.query(
    `INSERT INTO background_jobs (kind, payload, created_at, next_at) VALUES ('mail', '"encrypted"', now(), now())`,
  );
  await app
    .as(admin)
    .post('/api/admin/webhooks', { url: 'https://example.invalid/', events: ['project.created'] })
    .expect(201);
  await app.query(
    `INSERT INTO webhook_deliveries (webhook_id, type, object, data, created_at, state)
     SELECT id, 'ping', 'webhook:1', '{}', now(), 'failed' FROM webhooks`,
  );
  await app.query(
    'INSERT INTO webhook_skipped_senders (webhook_id, user_id, skips_since) SELECT id, $1, now() FROM webhooks',
    [lin.id],
  );
  await app.query("INSERT INTO totp_setups (user_id, secret, expires_at) VALUES ($1, 'encrypted', now())", [lin.id]);
  await app.query("INSERT INTO reminders (user_id, kind, day) VALUES ($1, 'streak', current_date)", [lin.id]);
  await app.query(
    `WITH attempt AS (
       INSERT INTO sso_attempts (state_hash, nonce, code_verifier, expires_at) VALUES (sha256('state'), 'n', 'v', now()))
     INSERT INTO sso_identities (issuer, subject, user_id, linked_at) VALUES ('https://id.example.org', 'lin', $1, now())`,
    [lin.id],
  );
  await app.query(
    `INSERT INTO report_links (user_id, created_by, token_hash, first_day, last_day, created_at, expires_at)
     VALUES ($1, $1, sha256('link'), '2026-01-01', '2026-01-31', now(), now() + interval '1 day')`,
    [lin.id],
  );
  await app.query(
    `WITH roster AS (
       INSERT INTO rosters (user_id, sign_in_id, request_id, dry_run, missing, invite, format, columns, rows, errors_count, errors,
         created_at)
       SELECT user_id, id, 'request', true, 'keep', false, 'csv', '[]', 1, 0, '[]', now() FROM sign_ins LIMIT 1 RETURNING id),
     account AS (INSERT INTO roster_accounts (user_id, external_id) VALUES ($1, 'S1'))
     INSERT INTO roster_rows (roster_id, row, username, group_names) SELECT id, 2, 'lin', '{"Class 3"}' FROM roster`,
    [lin.id],
  );
  await app.query(
    `INSERT INTO channels (user_id, destination, weekly, new_requests, since) VALUES ($1, 'sealed', true, false, now())`,
    [lin.id],
  );
  await app.query('INSERT INTO admin_groups (user_id, group_id) SELECT $1, min(id) FROM groups', [admin.id]);
  const days = { name: 'National Day', from: '2026-10-01', to: '2026-10-07' };
  await app.as(admin).post('/api/admin/terms', days).expect(201);
  await app
    .as(admin)
    .post('/api/admin/school-days', { ...days, kind: 'off' })
    .expect(201);
  await app.as(signedIn).post('/api/me/days-off', { from: '2026-05-11', to: '2026-05-12' }).expect(201);
  await app.as(admin).put(`/api/admin/users/${lin.id}/note`, { text: 'Calls after four.' }).expect(200);
  await app.query("INSERT INTO recovery_codes (user_id, code_hash) VALUES ($1, sha256('code'))", [lin.id]);
  await app.as(signedIn).post('/api/me/tokens', newToken({})).expect(201);
  await getCaptcha(app);
  // More than one part of the archive.
  await app.query(
    `INSERT INTO contact_requests (name, email, subject, message, ip_address, user_agent, created_at, updated_at)
     SELECT 'Many', n || '@example.org', 'other', repeat('长', 1000), '192.0.2.1', '', now(), now() FROM generate_series(1, 2000) n`,
  );
}

async function rowsOf<Row>(db: Executor, text: string): Promise<Row[]> {
  return (await db.knex.raw<{ rows: Row[] }>(text)).rows;
}

/** A digest of each table, with the number of its rows. */
async function digests(db: Executor): Promise<Record<string, string>> {
  const tables = await rowsOf<{ name: string }>(
    db,
    `SELECT relname::text AS name FROM pg_class WHERE relkind = 'r' AND relpersistence = 'p'
         AND relnamespace = 'public'::regnamespace
         AND relname NOT IN ('migrations', 'migrations_lock', 'migrations_hashes', 'sync_deletions') ORDER BY relname`,
  );
  const found: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await rowsOf<{ print: string }>(
      db,
      `SELECT count(*) || ' ' || coalesce(md5(string_agg(r.text, '|' ORDER BY r.text)), '') AS print
       FROM ${name} t CROSS JOIN LATERAL (VALUES ((to_jsonb(t) - 'changed_in')::text)) AS r (text)`,
    );
    found[name] = row?.print ?? '';
  }
  return found;
}

async function pictures(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).sort();
  const contents = await Promise.all(names.map((name) => readFile(path.join(folder, name))));
  return Object.fromEntries(
    names.map((name, index) => [
      name,
      createHash('sha256')
        .update(contents[index] ?? '')
        .digest('hex'),
    ]),
  );
}

const emptyDatabase = () => createTestDatabase({ empty: true });

async function runIn(folder: string, settings: NodeJS.ProcessEnv, words: readonly string[]) {
  const process = run('src/cli/main.ts', folder, settings, words);
  return { code: await process.ended, ...process.written };
}

async function command(name: 'backup' | 'restore', folder: string, file: string, settings: NodeJS.ProcessEnv) {
  return runIn(folder, settings, name === 'backup' ? [name, '--to', file] : [name, '--keep-access', '--from', file]);
}

async function backUp(folder: string, file = 'backup.tar.gz'): Promise<string> {
  const settings = { DATABASE_URL: app.databaseUrl, UPLOADS_DIR: app.folders.UPLOADS_DIR };
  const done = await command('backup', folder, file, settings);
  expect(done).toMatchObject({ code: 0, stdout: `Backup written to ${file}.\n` });
  return path.join(folder, file);
}

/** The archive with other contents, each of its entries still whole. */
async function rewriteArchive(from: string, to: string, change: (name: string, content: Buffer) => Buffer) {
  const extract = tar.extract();
  const pack = tar.pack();
  const written = pipeline(pack, createGzip(), createWriteStream(to));
  const read = pipeline(createReadStream(from), createGunzip(), extract);
  for await (const entry of extract) {
    const { name } = entry.header;
    pack.entry({ name }, change(name, await buffer(entry)));
  }
  await read;
  pack.finalize();
  await written;
}

async function withEmpty(work: (target: TestDatabase) => Promise<void>): Promise<void> {
  const target = await emptyDatabase();
  try {
    await work(target);
  } finally {
    await target.drop();
  }
}

test('nothing is lost from database to file, to the embedded server, to a file and back', async () => {
  const folder = await temporaryFolder();
  const before = await digests(app.database);
  const empty = Object.entries(before).filter(([, print]) => print.startsWith('0 '));
  expect(empty.map(([name]) => name)).toEqual([]);
  const file = await backUp(folder);
  expect((await stat(file)).mode & 0o777).toBe(0o600);

  expect(await command('restore', folder, file, { UPLOADS_DIR: 'first' })).toMatchObject({ code: 0 });
  expect(await command('backup', folder, 'second.tar.gz', { UPLOADS_DIR: 'first' })).toMatchObject({ code: 0 });
  await withEmpty(async (target) => {
    const settings = { DATABASE_URL: target.url, UPLOADS_DIR: 'second' };
    expect(await command('restore', folder, 'second.tar.gz', settings)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^\d{4,} rows and 1 images restored\.\nSign-ins, .* valid again\.\nAdministrators: .+\.\n$/,
      ),
    });
    expect(await digests(target.database)).toEqual(before);
    expect(await pictures(path.join(folder, 'second/projects'))).toEqual(
      await pictures(path.join(app.folders.UPLOADS_DIR, 'projects')),
    );

    // The restored one works: triggers, sequences and sign-ins are as they were.
    const restored = await startTestApp({ databaseUrl: target.url });
    const [newest] = await app.query<{ id: number }>('SELECT max(id) AS id FROM projects');
    const created = await restored
      .as(admin)
      .post('/api/projects', { name: 'Next', assigned_user_ids: [assignee.id] })
      .expect(201);
    expect(created.body.data.id).toBeGreaterThan(newest?.id ?? 0);
    await restored.as(admin).put(`/api/projects/${created.body.data.id}`, { name: 'Later' }).expect(200);
    const [touched] = await restored.query<{ row_version: number }>(
      'SELECT row_version FROM projects ORDER BY id DESC LIMIT 1',
    );
    expect(touched?.row_version).toBeGreaterThan(1);
    const told = await restored.query(
      `SELECT type, data ->> 'name' AS name FROM webhook_deliveries ORDER BY id DESC LIMIT 1`,
    );
    expect(told).toEqual([{ type: 'project.created', name: 'Next' }]);
    await restored.stop();
  });
});

test('an incomplete archive restores nothing and damages nothing', async () => {
  const folder = await temporaryFolder();
  const file = await backUp(folder);
  const whole = await readFile(file);
  const cut = path.join(folder, 'cut.tar.gz');
  await writeFile(cut, whole);
  await truncate(cut, Math.floor(whole.length * 0.9));
  await withEmpty(async (target) => {
    const settings = { DATABASE_URL: target.url, UPLOADS_DIR: 'pictures' };
    const refused = await command('restore', folder, cut, settings);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('incomplete') });
    expect(await rowsOf(target.database, 'SELECT FROM users')).toEqual([]);
    expect(await readdir(path.join(folder, 'pictures/projects')).catch(() => [])).toEqual([]);
    expect(await command('restore', folder, file, settings)).toMatchObject({ code: 0 });
    expect(await digests(target.database)).toEqual(await digests(app.database));
  });
});

test('rows that the database rejects leave no pictures either', async () => {
  const folder = await temporaryFolder();
  const changed = path.join(folder, 'changed.tar.gz');
  await rewriteArchive(await backUp(folder), changed, (name, content) =>
    name.startsWith('tables/users/') ? Buffer.from(content.toString().replaceAll('\tadmin\t', '\troot\t')) : content,
  );
  await withEmpty(async (target) => {
    const settings = { DATABASE_URL: target.url, UPLOADS_DIR: 'pictures' };
    expect(await command('restore', folder, changed, settings)).toMatchObject({ code: 1 });
    expect(await rowsOf(target.database, 'SELECT FROM users')).toEqual([]);
    expect(await readdir(path.join(folder, 'pictures/projects')).catch(() => [])).toEqual([]);
  });
});

const users = '20261125000100_create_users';

test.each<[string, (manifest: Manifest) => object, string]>([
  [
    'of a newer version',
    ({ migrations }) => ({
      version: '9.8.7',
      migrations: [...migrations, { name: '29991231000000_add', hash: 'new' }],
    }),
    'The backup was written by the newer version 9.8.7; restore it with that version.',
  ],
  [
    'of a changed migration',
    ({ migrations }) => ({ version: '9.8.7', migrations: [{ name: users, hash: 'other' }, ...migrations.slice(1)] }),
    `The backup was written with another schema, by version 9.8.7: ${users} was changed after it was applied; restore the file as it was and add a new migration, or create a new database.`,
  ],
  [
    'of a newer format',
    () => ({ format: 3 }),
    'The backup has the format 3 of a newer version; restore it with that version.',
  ],
  [
    'of the former format',
    () => ({ format: 1, schema: 'hash' }),
    'The backup was written by a development version before 1.1.0, which this version cannot restore (docs/operations.md, "From a version before 1.1.0").',
  ],
  [
    'that is damaged',
    () => ({ tables: 'none' }),
    'This is not a Studytrack backup, or it is damaged: manifest.json cannot be read.',
  ],
])('a backup %s is rejected in one line', async (_what, change, line) => {
  const folder = await temporaryFolder();
  const changed = path.join(folder, 'changed.tar.gz');
  await rewriteArchive(await backUp(folder), changed, (name, content) => {
    if (name !== 'manifest.json') return content;
    const manifest: Manifest = JSON.parse(content.toString());
    return Buffer.from(JSON.stringify({ ...manifest, ...change(manifest) }));
  });
  await withEmpty(async (target) => {
    const { code, stderr } = await command('restore', folder, changed, { DATABASE_URL: target.url });
    expect([code, stderr.replace('creating the tables\n', '')]).toEqual([1, `${line}\n`]);
    expect(await rowsOf(target.database, `SELECT FROM pg_class WHERE relname = 'users'`)).toEqual([]);
  });
});

test('a partial file of an earlier run does not change the mode of the backup', async () => {
  const folder = await temporaryFolder();
  const part = path.join(folder, 'open.tar.gz.part');
  const elsewhere = path.join(folder, 'elsewhere');
  for (const prepare of [() => writeFile(part, 'left'), () => symlink(elsewhere, part)]) {
    await prepare();
    await chmod(part, 0o666).catch(() => undefined);
    const file = await backUp(folder, 'open.tar.gz');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).not.toContain('elsewhere');
    await rm(file);
  }
});

test('rejected: a database in use, an existing file, a file of another format', async () => {
  const folder = await temporaryFolder();
  const file = await backUp(folder);
  const settings = { DATABASE_URL: app.databaseUrl };
  const before = await digests(app.database);
  expect(await command('restore', folder, file, settings)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('not empty'),
  });
  expect(await digests(app.database)).toEqual(before);
  expect(await command('backup', folder, file, settings)).toMatchObject({
    code: 1,
    stderr: `${file} already exists.\n`,
  });
  expect(await command('backup', folder, 'missing/backup.tar.gz', settings)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^missing cannot be written \(ENOENT.*\)\.\n$/),
  });
  await writeFile(path.join(folder, 'nonsense'), 'nonsense');
  await withEmpty(async (target) => {
    expect(await command('restore', folder, 'nonsense', { DATABASE_URL: target.url })).toMatchObject({ code: 1 });
  });
});

test('--replace keeps the present data first, from which they can be restored', async () => {
  const folder = await temporaryFolder();
  const file = await backUp(folder);
  await withEmpty(async (target) => {
    const settings = { DATABASE_URL: target.url, UPLOADS_DIR: 'pictures' };
    const restore = (from: string) =>
      runIn(folder, settings, ['restore', '--replace', '--keep-access', '--from', from]);
    expect(await restore(file)).toMatchObject({ code: 0, stdout: expect.not.stringContaining('kept') });
    await target.sql.query(`UPDATE users SET display_name = 'Later'`);
    const later = await digests(target.database);
    const replaced = await restore(file);
    expect(replaced).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^Warning: a running service has \d+ connections/m),
    });
    const [, kept = ''] =
      /^The present data are kept in (data\/restore-points\/.+\.tgz)\.$/m.exec(replaced.stdout) ?? [];
    expect(await digests(target.database)).toEqual(await digests(app.database));
    expect((await stat(path.join(folder, kept))).mode & 0o777).toBe(0o600);
    expect(await restore('nonsense')).toMatchObject({ code: 1 });

    expect(await restore(kept)).toMatchObject({ code: 0 });
    expect(await digests(target.database)).toEqual(later);
  });
});

test('what was taken away after a backup does not come back with it, and the administrators are printed', async () => {
  const folder = await temporaryFolder();
  const [dismissed, student] = [await createAccount(app, { role: 'admin' }), await createAccount(app)];
  const signedIn = await signIn(app, student);
  const login = { username: student.username, password: student.password };
  const { refresh_token } = (await app.anonymous.post('/api/auth/login', login).expect(200)).body.data;
  const { token } = (await app.as(signedIn).post('/api/me/tokens', newToken({})).expect(201)).body.data;
  const period = { from: '2026-01-01', to: '2026-01-31', expires_at: new Date(Date.now() + 86_400_000).toISOString() };
  const link = (await app.as(admin).post(`/api/reports/students/${student.id}/links`, period).expect(201)).body.data;
  const waiting = `SELECT (SELECT count(*) FROM background_jobs WHERE kind = 'mail')::integer AS mails,
    (SELECT count(*) FROM webhook_deliveries WHERE state = 'waiting')::integer AS deliveries`;
  const file = await backUp(folder);
  expect((await app.query<{ mails: number; deliveries: number }>(waiting))[0]).toMatchObject({
    mails: expect.any(Number),
  });
  await withEmpty(async (target) => {
    const settings = { DATABASE_URL: target.url, UPLOADS_DIR: 'pictures' };
    expect(await command('restore', folder, file, settings)).toMatchObject({ code: 0 });
    await target.sql.query(`UPDATE users SET role = 'user' WHERE id = $1`, [dismissed.id]);
    const again = await runIn(folder, settings, ['restore', '--replace', '--from', file]);
    expect(again).toMatchObject({ code: 0 });
    expect(again.stdout).toMatch(/^All sign-ins, tokens and links have ended; /m);
    expect(again.stdout).toContain(`Administrators again, who were not any more: ${dismissed.username}.\n`);

    const restored = await startTestApp({ databaseUrl: target.url });
    await restored.as(signedIn).get('/api/auth/me').expect(401);
    await restored
      .as({ ...student, role: 'user', token })
      .get('/api/projects')
      .expect(401);
    await restored.anonymous.post('/api/auth/refresh', { refresh_token }).expect(401);
    await restored.anonymous.post('/api/reports/shared', { token: new URL(link.secret_url).hash.slice(1) }).expect(404);
    await restored.anonymous.post('/api/auth/login', login).expect(200);
    expect(await restored.query(waiting)).toEqual([{ mails: 0, deliveries: 0 }]);
    await restored.stop();
  });
});

test('an administrator who was limited after a backup, or to other classes, is printed when it is restored', async () => {
  const folder = await temporaryFolder();
  const create = (name: string) => app.as(admin).post('/api/admin/groups', { name }).expect(201);
  const [own, other] = [(await create('Kept 7a')).body.data.id, (await create('Taken 7b')).body.data.id];
  const accounts = [await createAccount(app, { role: 'admin' }), await createAccount(app, { role: 'admin' })] as const;
  const [whole, limited] = accounts;
  const scope = { admin_scope: 'groups', admin_group_ids: [own, other] };
  await app.as(admin).put(`/api/admin/users/${limited.id}`, scope).expect(200);
  const file = await backUp(folder);
  await withEmpty(async (target) => {
    const settings = { DATABASE_URL: target.url, UPLOADS_DIR: 'pictures' };
    const first = await command('restore', folder, file, settings);
    expect(first.stdout).toContain(`${limited.username} (limited to Kept 7a and Taken 7b)`);
    expect(first.stdout).not.toContain('more than before');
    await target.sql.query('DELETE FROM admin_groups WHERE group_id = $1', [other]);
    await target.sql.query("UPDATE users SET admin_scope = 'groups' WHERE id = $1", [whole.id]);
    const again = await runIn(folder, settings, ['restore', '--replace', '--from', file]);
    const line = again.stdout.split('\n').find((each) => each.startsWith('Administrators with more than before: '));
    expect(line).toContain(`${whole.username}, was limited to no class`);
    expect(line).toContain(`${limited.username} (limited to Kept 7a and Taken 7b), was limited to Kept 7a`);
    const unchanged = await runIn(folder, settings, ['restore', '--replace', '--from', file]);
    expect(unchanged.stdout).not.toContain('more than before');
  });
});

test('a backup during writes is a consistent snapshot', async () => {
  const folder = await temporaryFolder();
  const users = await Promise.all(Array.from({ length: 4 }, () => app.createUser()));
  const projects = await Promise.all(users.map((user) => app.createProject(user)));
  let writing = true;
  const writers = users.map(async (user, index) => {
    for (let day = 0; writing; day += 1) {
      const started_at = new Date(Date.UTC(2020, 0, 1 + day)).toISOString();
      await app
        .as(user)
        .post(`/api/projects/${projects[index]}/sessions`, { started_at, duration_seconds: 60 })
        .expect(201);
    }
  });
  const file = await backUp(folder);
  writing = false;
  await Promise.all(writers);
  await withEmpty(async (target) => {
    expect(await command('restore', folder, file, { DATABASE_URL: target.url })).toMatchObject({ code: 0 });
    const drift = await rowsOf(
      target.database,
      `SELECT p.id FROM projects p LEFT JOIN study_sessions s ON s.project_id = p.id AND s.ended_at IS NOT NULL
           GROUP BY p.id HAVING p.sessions_count <> count(s.id) OR p.current_seconds <> coalesce(sum(s.duration_seconds), 0)`,
    );
    expect(drift).toEqual([]);
  });
});
