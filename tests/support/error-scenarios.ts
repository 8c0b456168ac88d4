import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import type { MessageKey } from '../../src/texts/index.ts';
import { asSignedIn } from './accounts.ts';
import { contactFields, contactSettings, getCaptcha, newAddress, submit } from './contact.ts';
import { onePixel } from './one-pixel.ts';
import { createToken, newToken } from './personal-tokens.ts';
import { gifOf, jpegOfScans, pngClaiming } from './pictures.ts';
import { assign, createProject, unassign } from './records.ts';
import { enableTotp } from './second-factor.ts';
import { startTestApp, type TestApp, type TestUser } from './test-app.ts';
import type { ClientFactory } from './texts.ts';
import { oneRoster, zip } from './zip.ts';

type ErrorScenario = (as: ClientFactory) => PromiseLike<Response>;

/** Test data in which every error can occur. There is only one administrator. */
export async function createScenarioWorld() {
  const app = await startTestApp({ settings: contactSettings });
  const admin = await app.createUser({ role: 'admin' });
  const teacher = await app.createUser({ role: 'admin' });
  const [taught] = await app.query<{ id: number }>(
    `WITH limited AS (UPDATE users SET admin_scope = 'groups' WHERE id = $1),
       taught AS (INSERT INTO groups (name) VALUES ('Taught') RETURNING id)
     INSERT INTO admin_groups (user_id, group_id) SELECT $1, id FROM taught RETURNING group_id AS id`,
    [teacher.id],
  );
  const [ann, bob, idle] = [
    await app.createUser(),
    await app.createUser(),
    await app.createUser({ status: 'inactive' }),
  ];
  const project = await createProject(app, ann, 'Algebra');
  const paused = await createProject(app, ann, 'Paused', 'paused');
  for (const name of ['Twin', 'Twin']) await createProject(app, bob, name);
  await app.query('UPDATE projects SET image_bytes = 512 * 1024 * 1024 WHERE id = $1', [paused]);
  const shared = await createProject(app, ann, 'Shared');
  await assign(app, shared, bob);
  const record = { started_at: '2026-02-01T08:00:00Z', ended_at: '2026-02-01T09:00:00Z' };
  await app.query('UPDATE project_status_changes SET changed_at = $1', ['2026-01-01T00:00:00Z']);
  const recorded = await app.as(ann).post(`/api/projects/${project}/sessions`, record).expect(201);
  const ofBob = await app.as(bob).post(`/api/projects/${shared}/sessions`, record).expect(201);
  const left = await createProject(app, ann, 'Left');
  await assign(app, left, bob);
  const early = { started_at: '2026-02-01T06:00:00Z', ended_at: '2026-02-01T07:00:00Z' };
  const beforeLeaving = await app.as(bob).post(`/api/projects/${left}/sessions`, early).expect(201);
  await unassign(app, left, bob);
  const running = await app.as(bob).post('/api/timer/start', { project_id: shared }).expect(201);
  const account = { username: 'signer', email: 'signer@example.org', password: 'a good password' };
  await app.as(admin).post('/api/admin/users', account).expect(201);
  const signIn = await app.anonymous.post('/api/auth/login', account).expect(200);
  const second = { username: 'doubly', email: 'doubly@example.org', password: account.password };
  await app.as(admin).post('/api/admin/users', second).expect(201);
  const doubly = asSignedIn(await app.anonymous.post('/api/auth/login', second).expect(200));
  await enableTotp(app, doubly, second.password, new Date());
  const signer: TestUser = { ...account, id: signIn.body.data.user.id, role: 'user', token: signIn.body.data.token };
  const ofSigner = await createProject(app, signer);
  await app.query('INSERT INTO user_study_totals (user_id, seconds, sessions_count) VALUES ($1, 0, 500000)', [
    signer.id,
  ]);
  await app.query(
    "INSERT INTO session_imports (user_id, dry_run, created_at, renewed_at) VALUES ($1, false, now(), now() + interval '1 hour')",
    [signer.id],
  );
  const [checkedImport] = await app.query<{ id: number }>(
    `INSERT INTO session_imports (user_id, dry_run, state, created_at, renewed_at, finished_at)
     VALUES ($1, true, 'done', now(), now(), now()) RETURNING id`,
    [ann.id],
  );
  const created = await app
    .as(admin)
    .post('/api/admin/users', { username: 'fresh', email: 'fresh@example.org' })
    .expect(201);
  await app.query(`INSERT INTO terms (name, first_day, last_day) VALUES ('Autumn term', '2030-09-01', '2031-01-23')`);
  await app.query(
    `INSERT INTO tags (user_id, name) SELECT $1, 'tag ' || number FROM generate_series(1, 200) AS number`,
    [bob.id],
  );
  const reader = await createToken(app, ann, ['read']);
  await app.query(
    `WITH s AS (INSERT INTO sign_ins (user_id, expires_at) SELECT $1, now() + interval '1 day' FROM generate_series(1, 50)
       RETURNING id)
     INSERT INTO personal_tokens (sign_in_id, name, scopes, token_hash)
     SELECT id, 'Full', CASE WHEN row_number() OVER () <= 10 THEN '{calendar}' ELSE '{read}' END::text[], sha256(id::text::bytea)
     FROM s`,
    [signer.id],
  );
  const once: string = created.body.data.one_time_password;
  const freshSignIn = await app.anonymous.post('/api/auth/login', { username: 'fresh', password: once }).expect(200);
  const fresh: TestUser = { ...created.body.data, token: freshSignIn.body.data.token };
  for (let tries = 0; tries < 10; tries += 1) {
    await app.anonymous.post('/api/auth/login', { username: 'guessed', password: 'x'.repeat(8) }).expect(401);
  }
  await app.as(ann).post('/api/projects', { name: 'First' }).set('Idempotency-Key', 'key-used-before').expect(201);
  await app.query(
    `INSERT INTO account_links (user_id, purpose, by_administrator, created_at, expires_at)
     SELECT $1, 'password_reset', true, now(), now() FROM generate_series(1, 10)`,
    [bob.id],
  );
  await app.query(
    `INSERT INTO contact_attempts (email, address, purpose, accepted, attempted_at)
     SELECT 'forgetful@example.org', '192.0.2.99', 'password_reset', false, now() FROM generate_series(1, 5)`,
  );
  await app.query(
    `INSERT INTO personal_exports (user_id, state, requested_at, finished_at)
     SELECT $1, 'failed', now(), now() FROM generate_series(1, 3)`,
    [signer.id],
  );
  await app.query(
    `INSERT INTO report_links (user_id, created_by, token_hash, first_day, last_day, created_at, expires_at)
     SELECT $1, $2, sha256(n::text::bytea), '2026-01-01', '2026-01-31', now(), now() + interval '1 day'
     FROM generate_series(1, 500) n`,
    [ann.id, admin.id],
  );
  const [busy, email] = [newAddress(), 'often@example.org'];
  await submit(app, { email });
  for (let sent = 0; sent < 5; sent += 1) await submit(app, {}, busy);
  await app.query(
    `INSERT INTO users (username, email, display_name)
     SELECT 'member' || n, 'member' || n || '@example.org', 'Member' FROM generate_series(1, 1000) n`,
  );
  const full = await app.as(admin).post('/api/admin/groups', { name: 'Full' }).expect(201);
  await app.query(
    `INSERT INTO group_members (group_id, user_id) SELECT $1, id FROM users WHERE username LIKE 'member%'`,
    [full.body.data.id],
  );
  const hooks = await app.query<{ id: number }>(
    `INSERT INTO webhooks (url, events, secret, active, created_at, updated_at)
     SELECT 'https://example.invalid/', '{goal.reached}', 'encrypted', n <> 2, now(), now() FROM generate_series(1, 20) n
     RETURNING id`,
  );
  const [webhook = 0, inactiveWebhook = 0, fullWebhook = 0] = hooks.map(({ id }) => id);
  await app.query(
    `INSERT INTO background_jobs (kind, queue, payload, created_at, next_at)
     SELECT 'webhook_delivery', $1, '{}', now(), now() FROM generate_series(1, 20000)`,
    [`${fullWebhook}`],
  );
  const [{ id: delivery = 0 } = {}] = await app.query<{ id: number }>(
    `INSERT INTO webhook_deliveries (webhook_id, type, object, data, created_at, state)
     VALUES ($1, 'ping', 'webhook:1', '{}', now(), 'waiting') RETURNING id`,
    [webhook],
  );
  const other = (await submit(app, { subject: 'other' })).body.requestId;
  const closed = (await submit(app, { subject: 'account_registration' })).body.requestId;
  await app.as(admin).put(`/api/admin/contact-requests/${closed}/status`, { status: 'resolved' }).expect(200);
  return {
    ...{
      app,
      admin,
      teacher,
      taught,
      checkedImport,
      ann,
      bob,
      idle,
      signer,
      ofSigner,
      doubly,
      fresh,
      reader,
      once,
      project,
      paused,
      shared,
      record,
      other,
      closed,
      busy,
      email,
    },
    ...{ webhook, inactiveWebhook, fullWebhook, delivery },
    group: Number(full.body.data.id),
    session: Number(recorded.body.data.id),
    sessionOfBob: Number(ofBob.body.data.id),
    timer: Number(running.body.data.id),
    sessionBeforeLeaving: Number(beforeLeaving.body.data.id),
    picture: await onePixel(),
  };
}
export type ScenarioWorld = Awaited<ReturnType<typeof createScenarioWorld>>;

type ErrorScenarios = Partial<Record<MessageKey, ErrorScenario>>;

/** A request for each error about an invalid request. */
export function formErrorScenarios({
  teacher,
  taught,
  admin,
  ann,
  bob,
  project,
  group,
  picture,
  app,
  idle,
}: ScenarioWorld): ErrorScenarios {
  const hook =
    (body: object): ErrorScenario =>
    (as) =>
      as(admin).post('/api/admin/webhooks', { events: ['goal.reached'], ...body });
  const createProjectWith =
    (body: object): ErrorScenario =>
    (as) =>
      as(ann).post('/api/projects', body);
  const raw =
    (type: string, text: string): ErrorScenario =>
    (as) =>
      as(ann).post('/api/projects').set('Content-Type', type).send(text);
  const ids = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
  const batch =
    (body: object): ErrorScenario =>
    (as) =>
      as(admin).post('/api/projects/batch-assign', body);
  const image = `/api/projects/${project}/image`;
  const record =
    (body: object): ErrorScenario =>
    (as) =>
      as(ann).post(`/api/projects/${project}/sessions`, body);
  const account =
    (body: object): ErrorScenario =>
    (as) =>
      as(admin).post('/api/admin/users', body);
  return {
    validation_failed: createProjectWith({}),
    required: createProjectWith({}),
    expected_type: createProjectWith({ name: 5 }),
    expected_integer: record({ started_at: '2026-02-01T08:00:00Z', duration_seconds: 1.5 }),
    too_short: createProjectWith({ name: 'x' }),
    too_long: createProjectWith({ name: 'x'.repeat(51) }),
    too_small: createProjectWith({ name: 'Rings', target_hours: -1 }),
    too_big: createProjectWith({ name: 'Rings', target_hours: 100_001 }),
    too_few_items: (as) => as(admin).post('/api/projects', { name: 'Rings', assigned_user_ids: [] }),
    too_many_items: batch({ project_ids: ids(1001), assigned_user_ids: [] }),
    not_one_of: createProjectWith({ name: 'Rings', category: 'sport' }),
    invalid_email: account({ username: 'new.one', email: 'new.one' }),
    invalid_date: record({ started_at: 'today', duration_seconds: 60 }),
    invalid_day: createProjectWith({ name: 'Rings', due_date: '2026-02-30' }),
    invalid_time_zone: (as) => as(ann).get('/api/stats?tz=Mars/Base'),
    period_ends_early: (as) => as(ann).get('/api/stats?from=2026-02-02&to=2026-02-01'),
    period_too_long: (as) => as(ann).get('/api/stats?from=2026-01-01&to=2027-02-01'),
    invalid_moment: (as) => as(ann).get('/api/sessions?from=monday'),
    time_zones_differ: (as) => as(ann).put('/api/me', { timezone: 'Asia/Tokyo', time_zone: 'Asia/Manila' }),
    ambiguous_time_zone: (as) => as(ann).get('/api/stats?tz=IST'),
    not_combined: (as) => as(admin).get('/api/school-year?group_id=1&user_id=1'),
    invalid_cursor: (as) => as(ann).get('/api/sync?since=first'),
    invalid_id: (as) => as(ann).get('/api/projects/first'),
    invalid_ids: (as) => as(ann).get('/api/forecasts?project_ids=1,,2'),
    invalid_uuid: (as) => as(ann).delete('/api/auth/sign-ins/first'),
    invalid_text: createProjectWith({ name: 'a\u0000b' }),
    no_newlines: createProjectWith({ name: 'a\nb' }),
    given_once: (as) => as(ann).get('/api/projects?page=1&page=2'),
    invalid_json: raw('application/json', '{"name"'),
    body_broken: (as) =>
      as(ann).post('/api/projects').set({ 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }).send('{}'),
    unsupported_encoding: (as) => as(ann).post('/api/projects', {}).set('Content-Encoding', 'zstd'),
    unsupported_charset: raw('application/json; charset=gbk', '{}'),
    body_must_be_json: raw('text/plain', 'name'),
    invalid_url: (as) => as(ann).get('/api/projects/%E0%A4%A'),
    form_must_be_multipart: (as) => as(ann).post(image, {}),
    form_broken: (as) => as(ann).post(image).set('Content-Type', 'multipart/form-data; boundary=x').send('--x\r\n'),
    form_fields_limited: (as) =>
      ids(21)
        .reduce((form, field) => form.field(`f${field}`, 'x'), as(ann).post(image))
        .attach('image', picture, 'a.png'),
    file_required: (as) => as(ann).post(image).field('other', 'x'),
    file_one_only: (as) => as(ann).post(image).attach('image', picture, 'a.png').attach('image', picture, 'b.png'),
    file_wrong_field: (as) => as(ann).post(image).attach('file', picture, 'a.png'),
    file_compressed: (as) => as(ann).post(image).set('Content-Encoding', 'gzip').attach('image', picture, 'a.png'),
    file_too_large: (as) =>
      as(ann)
        .post(image)
        .attach('image', Buffer.alloc(5 * 1024 * 1024 + 1), 'a.png'),
    image_type: (as) => as(ann).post(image).attach('image', Buffer.from('no picture at all'), 'a.png'),
    image_broken: (as) =>
      as(ann)
        .post(image)
        .attach('image', picture.subarray(0, picture.length - 20), 'a.png'),
    image_too_many_pixels: (as) => as(ann).post(image).attach('image', pngClaiming(9_000, 9_000), 'a.png'),
    image_too_many_frames: (as) =>
      as(ann)
        .post(image)
        .attach('image', gifOf(501, 1, 1), 'a.gif'),
    pictures_full: (as) => as(ann).post(image).attach('image', picture, 'a.png'),
    image_too_costly: (as) => as(ann).post(image).attach('image', jpegOfScans(16, 64), 'a.jpg'),
    invalid_idempotency_key: (as) =>
      as(ann).post('/api/projects', { name: 'Rings' }).set('Idempotency-Key', 'x'.repeat(129)),
    payload_too_large: createProjectWith({ name: 'Rings', description: 'x'.repeat(110_000) }),
    header_given_once: (as) =>
      as(ann)
        .post('/api/projects', { name: 'Rings' })
        .set('Idempotency-Key', ['one', 'two'] as unknown as string),
    invalid_if_match: (as) => as(ann).put(`/api/projects/${project}`, {}).set('If-Match', '1764921600000'),
    access_token_malformed: (as) => as({ ...ann, token: 'x' }).get('/api/projects'),
    access_token_expired: (as) =>
      as({ ...ann, token: app.container.tokens.sign({ user_id: ann.id, sign_in_id: randomUUID() }, 0) }).get(
        '/api/projects',
      ),
    access_token_revoked: (as) =>
      as({ ...ann, token: app.container.tokens.sign({ user_id: ann.id, sign_in_id: randomUUID() }) }).get(
        '/api/projects',
      ),
    unauthorized: (as) => as().get('/api/projects'),
    admin_only: (as) => as(ann).get('/api/admin/users'),
    whole_school_only: (as) => as(teacher).get('/api/admin/audit'),
    whole_school_only_item: (as) =>
      as(teacher).post('/api/admin/users', { username: 'head', email: 'head@example.org', role: 'admin' }),
    out_of_scope: (as) => as(teacher).get(`/api/admin/users/${ann.id}`),
    out_of_scope_item: (as) => as(teacher).post(`/api/admin/groups/${taught?.id}/members`, { add: [ann.id] }),
    own_scope: (as) => as(admin).put(`/api/admin/users/${admin.id}`, { admin_scope: 'groups' }),
    scope_of_admins_only: (as) => as(admin).put(`/api/admin/users/${ann.id}`, { admin_scope: 'groups' }),
    groups_of_limited_only: (as) =>
      as(admin).put(`/api/admin/users/${teacher.id}`, { admin_scope: 'all', admin_group_ids: [taught?.id] }),
    groups_of_users_only: (as) =>
      as(admin).post('/api/admin/users', {
        username: 'other-admin',
        email: 'other-admin@example.org',
        role: 'admin',
        group_ids: [taught?.id],
      }),
    group_ids_required: (as) => as(teacher).post('/api/admin/users', { username: 'pupil', email: 'pupil@example.org' }),
    route_not_found: (as) => as(ann).get('/api/nothing'),
    method_not_allowed: (as) => as(ann).put('/api/projects', {}),
    invalid_username: account({ username: 'a b', email: 'new.one@example.org' }),
    reserved_username: account({ username: 'deleted-7', email: 'new.one@example.org' }),
    invalid_creator: (as) => as(ann).get('/api/projects?creator=you'),
    batch_shapes_mixed: batch({ project_ids: [1], user_ids: [1], assign_type: 'add', assigned_user_ids: [1] }),
    batch_shape_missing: batch({ project_ids: [1] }),
    too_many_pairs: batch({ project_ids: ids(1000), user_ids: ids(101), assign_type: 'add' }),
    batch_partly_assigned: batch({ project_ids: [project], user_ids: [bob.id, 999_999], assign_type: 'remove' }),
    user_inactive: batch({ project_ids: [project], user_ids: [idle.id], assign_type: 'add' }),
    user_is_admin: batch({ project_ids: [project], user_ids: [admin.id], assign_type: 'add' }),
    group_unknown: batch({ project_ids: [project], group_ids: [999_999], assign_type: 'add' }),
    webhook_url: hook({ url: 'ftp://example.org/' }),
    webhook_target: hook({ url: 'https://127.0.0.1/' }),
    also_removed: (as) => as(admin).post(`/api/admin/groups/${group}/members`, { add: [bob.id], remove: [bob.id] }),
    status_or_delete: (as) => as(admin).post('/api/admin/contact-requests/bulk', { ids: [1] }),
    sort_takes_group: (as) => as(admin).get('/api/admin/progress/projects?sort=project_hours&sort_project_id=1'),
    user_not_ordinary: (as) => as(admin).post('/api/admin/groups', { name: 'Staff', user_ids: [admin.id] }),
    invalid_phone: contact(app, { phone: '12345' }),
    captcha_format: contact(app, { captcha: '?' }),
    captcha_wrong: contact(app, { captcha: '0000' }),
    spam_advertising: contact(app, { message: '促销广告' }),
    spam_illegal: contact(app, { message: '传销' }),
    spam_sensitive: contact(app, { message: '色情' }),
  };
}

/** A submission with a valid captcha and the given fields. */
function contact(app: TestApp, given: object, address = newAddress()): ErrorScenario {
  return async (as) => {
    const { captcha_id, answer } = await getCaptcha(app);
    const fields = contactFields({ captcha_id, captcha: answer, ...given });
    return as().post('/api/contact/submit', fields).set('X-Forwarded-For', address);
  };
}

/** A request for each error about the state of the data. */
export function stateErrorScenarios(world: ScenarioWorld): ErrorScenarios {
  const { app, admin, ann, bob, signer, fresh, once, project, paused, shared, record, session, sessionOfBob, timer } =
    world;
  const { sessionBeforeLeaving, ofSigner, doubly, group, reader, idle, checkedImport } = world;
  const { webhook, inactiveWebhook, fullWebhook, delivery } = world;
  const add =
    (body: object, to = project, by = ann): ErrorScenario =>
    (as) =>
      as(by).post(`/api/projects/${to}/sessions`, body);
  const account =
    (body: object): ErrorScenario =>
    (as) =>
      as(admin).post('/api/admin/users', body);
  const token =
    (fields: object): ErrorScenario =>
    (as) =>
      as(ann).post('/api/me/tokens', newToken(fields));
  const answering = (contact_request_id: number): ErrorScenario =>
    account({ username: 'asked', email: 'asked@example.org', contact_request_id });
  const head = 'project_name,started_at,ended_at';
  const file =
    (...rows: string[]): ErrorScenario =>
    (as) =>
      as(ann)
        .post('/api/sessions/import')
        .attach('file', Buffer.from(rows.join('\n')), 'records.csv');
  const roster =
    (content: string | Buffer): ErrorScenario =>
    (as) =>
      as(admin)
        .post('/api/admin/roster')
        .attach('file', Buffer.from(content as string), 'roster');
  const calendar =
    (content: string, fields: Record<string, string> = {}): ErrorScenario =>
    (as) => {
      const request = as(admin).post('/api/admin/school-days/import').attach('file', Buffer.from(content), 'days.ics');
      for (const [name, value] of Object.entries(fields)) request.field(name, value);
      return request;
    };
  const repeating = 'BEGIN:VEVENT\nSUMMARY:A\nDTSTART;VALUE=DATE:20260401\nRRULE:FREQ=YEARLY\nEND:VEVENT\n';
  const toggl = '"Project","Description","Start date","Start time","End date","End time","Duration"';
  const soon = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
  return {
    idempotency_mismatch: (as) =>
      as(ann).post('/api/projects', { name: 'Another' }).set('Idempotency-Key', 'key-used-before'),
    precondition_failed: (as) => as(ann).put(`/api/projects/${project}`, { name: 'New' }).set('If-Match', '"0.1en"'),

    wrong_credentials: (as) => as().post('/api/auth/login', { username: 'nobody', password: 'a wrong password' }),
    calendar_not_found: (as) => as(ann).delete('/api/me/calendar'),
    report_not_yours: (as) => as(ann).get(`/api/reports/students/${bob.id}?from=2026-01-01&to=2026-01-31`),
    report_link_not_found: (as) => as().post('/api/reports/shared', { token: 'unknown' }),
    too_many_report_links: (as) =>
      as(admin).post(`/api/reports/students/${ann.id}/links`, {
        ...{ from: '2026-01-01', to: '2026-01-31', expires_at: soon(3600) },
      }),
    export_not_found: (as) => as(ann).get('/api/me/export/file'),
    export_pending: async (as) => {
      await as(bob).post('/api/me/export');
      return as(bob).post('/api/me/export');
    },
    too_many_exports: (as) => as(signer).post('/api/me/export'),
    token_not_found: (as) => as(ann).delete('/api/me/tokens/999999'),
    token_expiry: token({ expires_at: '2020-01-01T00:00:00Z' }),
    scope_of_administrators: token({ scopes: ['read', 'admin'] }),
    scope_required: (as) => as(reader).post('/api/projects', { name: 'Another' }),
    sign_in_required: (as) => as(reader).get('/api/me/tokens'),
    message_without_mail: (as) =>
      as(admin).post('/api/admin/messages', { user_ids: [ann.id], subject: 'Piano', text: 'On Friday.' }),
    too_many_calendars: (as) => as(signer).post('/api/me/calendar'),
    too_many_tokens: (as) => as(signer).post('/api/me/tokens', newToken({})),
    invalid_refresh_token: (as) => as().post('/api/auth/refresh', { refresh_token: 'x'.repeat(43) }),
    own_pages_only: (as) => as().post('/api/auth/browser/refresh', {}).set('Sec-Fetch-Site', 'cross-site'),
    sso_not_configured: (as) => as().post('/api/auth/browser/single-sign-on', {}),
    too_many_sign_ins: (as) => as().post('/api/auth/login', { username: 'guessed', password: 'x'.repeat(8) }),
    otp_required: (as) => as().post('/api/auth/login', { username: 'doubly', password: 'a good password' }),
    totp_already_enabled: (as) => as(doubly).post('/api/auth/totp', { current_password: 'a good password' }),
    totp_setup_not_started: (as) => as(ann).post('/api/auth/totp/confirm', { otp: '123456' }),
    totp_not_enabled: (as) =>
      as(signer).delete('/api/auth/totp').send({ current_password: 'a good password', otp: '123456' }),
    totp_reset_own: (as) => as(admin).delete(`/api/admin/users/${admin.id}/totp`),
    wrong_otp: (as) => as(doubly).delete('/api/auth/totp').send({ current_password: 'a good password', otp: 'none' }),
    sign_in_not_found: (as) => as(ann).delete('/api/auth/sign-ins/00000000-0000-4000-8000-000000000000'),
    webhook_not_found: (as) => as(admin).get('/api/admin/webhooks/999999'),
    webhook_delivery_not_found: (as) => as(admin).post(`/api/admin/webhooks/${webhook}/deliveries/999999/replay`),
    webhook_delivery_waits: (as) => as(admin).post(`/api/admin/webhooks/${webhook}/deliveries/${delivery}/replay`),
    webhook_inactive: (as) => as(admin).post(`/api/admin/webhooks/${inactiveWebhook}/ping`),
    webhook_queue_full: (as) => as(admin).post(`/api/admin/webhooks/${fullWebhook}/ping`),
    too_many_webhooks: (as) =>
      as(admin).post('/api/admin/webhooks', { url: 'https://example.invalid/', events: ['goal.reached'] }),
    group_not_found: (as) => as(admin).get('/api/admin/groups/999999'),
    group_name_taken: (as) => as(admin).post('/api/admin/groups', { name: 'full' }),
    group_too_large: (as) => as(admin).post(`/api/admin/groups/${group}/members`, { add: [bob.id] }),
    user_not_found: (as) => as(admin).get('/api/admin/users/999999'),
    no_weekday_left: (as) => as(ann).put('/api/auth/me', { rest_weekdays: [1, 2, 3, 4, 5, 6, 7] }),
    last_admin: (as) => as(admin).put(`/api/admin/users/${admin.id}`, { role: 'user' }),
    wrong_password: (as) =>
      as(signer).put('/api/auth/password', { current_password: 'a wrong one', new_password: 'a better password' }),
    password_change_required: (as) => as(fresh).get('/api/projects'),
    same_password: (as) => as(fresh).put('/api/auth/password', { current_password: once, new_password: once }),
    common_password: account({ username: 'new.one', email: 'new.one@example.org', password: 'Password123' }),
    password_contains_name: account({
      username: 'new.one',
      email: 'new.one@example.org',
      password: 'the New.One here',
    }),
    email_by_administrator: (as) =>
      as(signer).put('/api/auth/me', { email: 'other@example.org', current_password: 'a good password' }),
    invalid_account_link: (as) => as().post('/api/auth/accept', { token: 'x'.repeat(43), password: 'a good password' }),
    invalid_setup_link: (as) =>
      as().post('/api/setup', {
        ...{ token: 'x'.repeat(43), username: 'second', email: 'second@example.org', password: 'a good password' },
      }),
    link_for_inactive: (as) => as(admin).post(`/api/admin/users/${idle.id}/reset-link`),
    invitation_for_known: (as) => as(admin).post(`/api/admin/users/${signer.id}/invite`),
    invitation_not_possible: account({
      username: 'new.one',
      email: 'new.one@example.org',
      status: 'inactive',
      invite: true,
    }),
    too_many_account_links: (as) => as(admin).post(`/api/admin/users/${bob.id}/reset-link`),
    too_many_reset_requests: (as) => as().post('/api/auth/forgot-password', { email: 'forgetful@example.org' }),
    invalid_email_token: (as) => as().post('/api/auth/email/confirm', { token: 'x'.repeat(43) }),
    invalid_unsubscribe_token: (as) => as().post(`/api/mail/unsubscribe?token=${'x'.repeat(43)}`),
    username_taken: account({ username: ann.username, email: 'new.one@example.org' }),
    email_taken: account({ username: 'new.one', email: ann.email }),

    statistics_not_yours: (as) => as(ann).get(`/api/stats?user_id=${bob.id}`),
    project_not_found: (as) => as(ann).get('/api/projects/999999'),
    project_not_visible: (as) => as(bob).get(`/api/projects/${project}`),
    project_not_yours: (as) => as(bob).put(`/api/projects/${shared}`, { name: 'Mine' }),
    assignment_filter_is_for_admins: (as) => as(ann).get('/api/projects?assigned=none'),
    assigning_is_for_admins: (as) => as(ann).put(`/api/projects/${shared}`, { assigned_user_ids: [] }),
    project_not_in_trash: (as) => as(ann).post(`/api/projects/${project}/restore`),
    user_not_assignable: (as) => as(admin).put(`/api/projects/${shared}`, { assigned_user_ids: [admin.id] }),

    session_not_found: (as) => as(ann).get('/api/sessions/999999'),
    session_not_visible: (as) => as(bob).get(`/api/sessions/${session}`),
    session_not_yours: (as) => as(ann).put(`/api/sessions/${sessionOfBob}`, { note: 'Mine' }),
    session_project_not_visible: (as) => as(admin).put(`/api/sessions/${sessionOfBob}`, { project_id: project }),
    session_too_early: add({ started_at: '1999-12-31T08:00:00Z', duration_seconds: 60 }),
    session_in_future: add({ started_at: soon(0), ended_at: soon(3600) }),
    duration_into_future: add({ started_at: soon(-60), duration_seconds: 3600 }),
    session_too_short: add({ ...record, ended_at: record.started_at }),
    session_too_long: add({ ...record, ended_at: '2026-02-03T08:00:00Z' }),
    session_after_membership: (as) =>
      as(bob).put(`/api/sessions/${sessionBeforeLeaving}`, { started_at: soon(-60), ended_at: soon(120) }),
    session_end_required: add({ started_at: record.started_at }),
    session_contradiction: add({ ...record, duration_seconds: 1 }),
    session_overlap: add(record),
    session_overlap_of_user: (as) => as(admin).put(`/api/sessions/${sessionBeforeLeaving}`, record),
    session_overlap_running: add({ started_at: soon(-10), duration_seconds: 60 }, shared, bob),
    project_not_active: add({ started_at: '2026-02-02T08:00:00Z', duration_seconds: 60 }, paused),
    too_many_sessions: add({ started_at: '2026-02-02T08:00:00Z', duration_seconds: 60 }, ofSigner, signer),
    too_many_tags: add({ started_at: '2026-02-02T08:00:00Z', duration_seconds: 60, tags: ['one more'] }, shared, bob),
    channel_not_found: (as) => as(ann).delete('/api/me/channel'),
    channel_address: (as) => as(ann).put('/api/me/channel', { kind: 'url', url: 'not an address' }),
    tag_not_found: (as) => as(ann).get('/api/me/tags/unknown'),
    tag_reserved: add({ ...record, tags: ['none'] }),
    tag_is_dots: add({ ...record, tags: ['..'] }),
    no_timer: (as) => as(ann).post('/api/timer/stop'),
    timer_running: (as) => as(bob).put(`/api/sessions/${timer}`, { ended_at: soon(0) }),
    timer_too_early: (as) => as(bob).put(`/api/sessions/${timer}`, { started_at: soon(-90_000) }),
    timer_not_running: (as) => as(bob).put(`/api/sessions/${sessionOfBob}`, { planned_minutes: 25 }),
    timer_not_yours: (as) => as(ann).post('/api/timer/stop', { session_id: sessionOfBob }),

    field_must_be_json: (as) =>
      as(ann).post('/api/sessions/import').field('columns', 'project').attach('file', Buffer.from(head), 'records.csv'),
    import_unknown_columns: file('a,b', '1,2'),
    import_row_too_long: file(head, 'x'.repeat(40_001)),
    import_document: file('PK\u0003\u0004'),
    import_empty: file(''),
    import_more_cells: file('project,start,hours', 'Algebra,2026-02-03 08:00,1,5'),
    import_spreadsheet_error: file(head, '#N/A,2026-02-03T08:00:00Z,2026-02-03T09:00:00Z'),
    import_json: file('[{"project_name":"Algebra"'),
    import_other_table: file(head, head),
    import_duration: file('project,start date,start time,duration', 'Algebra,2026-02-03,08:00,soon'),
    import_duration_unit: file('project,start date,start time,duration', 'Algebra,2026-02-03,08:00,20'),
    import_several_durations: file('project,date,hours,minutes', 'Algebra,2026-02-03,1,30'),
    import_contradiction: file('project,date,start,end', 'Algebra,2026-02-03 07:00,08:00,09:00'),
    import_half_unclear: file('project,date,start,end', 'Algebra,2026-02-03,11:00,1:00'),
    import_project_missing: file(head, ',2026-02-03T08:00:00Z,2026-02-03T09:00:00Z'),
    import_column_missing: (as) =>
      as(ann)
        .post('/api/sessions/import')
        .field('columns', '{"project":"Course"}')
        .attach('file', Buffer.from(head), 'records.csv'),
    import_encoding: (as) =>
      as(ann)
        .post('/api/sessions/import')
        .attach(
          'file',
          Buffer.concat([
            Buffer.from(`${head}
`),
            Buffer.from([0x81, 0xff, 0xff]),
          ]),
          'records.csv',
        ),
    import_too_many_rows: file(head, ...Array.from({ length: 50_001 }, () => 'x')),
    import_too_many_columns: file('a,'.repeat(64)),
    import_marks: file(`${head},note`, `Algebra,2026-02-03T08:00:00Z,2026-02-03T09:00:00Z,a${'\u0301'.repeat(31)}`),
    import_running: (as) => as(signer).post('/api/sessions/import').attach('file', Buffer.from(head), 'records.csv'),
    import_not_found: (as) => as(ann).get('/api/sessions/imports/999999'),
    import_not_done: (as) => as(ann).delete(`/api/sessions/imports/${checkedImport?.id}`),
    import_date: file(toggl, '"Algebra","","2026-02-30","08:00:00","2026-02-30","09:00:00","01:00:00"'),
    import_not_yours: file(`${head},user_id`, `Algebra,2026-02-03T08:00:00Z,2026-02-03T09:00:00Z,${bob.id}`),
    invalid: file(`${head},source`, 'Algebra,2026-02-03T08:00:00Z,2026-02-03T09:00:00Z,dream'),
    import_project_unknown: file(head, 'Nothing,2026-02-03T08:00:00Z,2026-02-03T09:00:00Z'),
    import_project_ambiguous: (as) =>
      as(bob)
        .post('/api/sessions/import')
        .attach('file', Buffer.from(`${head}\nTwin,2026-02-03T08:00:00Z,2026-02-03T09:00:00Z`), 'records.csv'),
    import_too_many_tags: (as) =>
      as(bob)
        .post('/api/sessions/import')
        .attach(
          'file',
          Buffer.from('project,start,end,tags\nShared,2026-01-02T08:00:00Z,2026-01-02T09:00:00Z,one more'),
          'records.csv',
        ),
    import_too_many_projects: (as) =>
      as(ann)
        .post('/api/sessions/import')
        .field('create_projects', 'true')
        .attach('file', Buffer.from(fileOfManyProjects(head)), 'records.csv'),
    import_overlap_record: file(head, 'Algebra,2026-02-01T08:30:00Z,2026-02-01T09:30:00Z'),
    import_overlap_row: file(
      head,
      'Algebra,2026-02-03T08:00:00Z,2026-02-03T09:00:00Z',
      'Algebra,2026-02-03T08:30:00Z,2026-02-03T09:30:00Z',
    ),

    term_not_found: (as) => as(admin).delete('/api/admin/terms/999999'),
    term_overlaps: (as) => as(admin).post('/api/admin/terms', { name: 'Other', from: '2030-09-10', to: '2030-09-11' }),
    too_many_terms: async (as) => {
      await app.query(`INSERT INTO terms (name, first_day, last_day)
        SELECT 'Day', date '2100-01-01' + n, date '2100-01-01' + n FROM generate_series(1, 200) AS n ON CONFLICT DO NOTHING`);
      return as(admin).post('/api/admin/terms', { name: 'Other', from: '2031-09-10', to: '2031-09-11' });
    },
    school_day_not_found: (as) => as(admin).delete('/api/admin/school-days/999999'),
    too_many_school_days: async (as) => {
      await app.query(`INSERT INTO school_days (name, first_day, last_day, kind)
        SELECT 'Day', date '2100-01-01' + n, date '2100-01-01' + n, 'off' FROM generate_series(1, 1000) AS n`);
      return as(admin).post('/api/admin/school-days', { name: 'A', from: '2031-09-10', to: '2031-09-11', kind: 'off' });
    },
    school_year_not_yours: (as) => as(ann).get(`/api/school-year?user_id=${bob.id}`),
    calendar_unknown: calendar('name,from,to'),
    calendar_empty: calendar('BEGIN:VCALENDAR\nEND:VCALENDAR'),
    calendar_too_long: calendar(`BEGIN:VCALENDAR\n${repeating.repeat(501)}`),
    calendar_no_event: calendar(`BEGIN:VCALENDAR\n${repeating}`, { off: '2' }),
    calendar_chosen_twice: calendar(`BEGIN:VCALENDAR\n${repeating}`, { ignored: '1,1' }),
    calendar_left_out: calendar(`BEGIN:VCALENDAR\n${repeating}`, { off: '1' }),
    days_off_not_found: (as) => as(ann).delete('/api/me/days-off/999999'),
    days_off_not_own: async (as) => {
      const excused = await as(admin).post(`/api/admin/users/${ann.id}/days-off`, {
        from: '2026-02-03',
        to: '2026-02-03',
      });
      return as(ann).delete(`/api/me/days-off/${excused.body.data.id}`);
    },
    days_off_used_up: (as) => as(ann).post('/api/me/days-off', { from: '2025-01-01', to: '2025-03-02' }),
    too_many_days_off: async (as) => {
      await app.query(
        `INSERT INTO days_off (user_id, first_day, last_day, reason, set_by)
         SELECT $1, '2026-01-01', '2026-01-01', '', $1 FROM generate_series(1, 500)`,
        [bob.id],
      );
      return as(bob).post('/api/me/days-off', { from: '2026-01-01', to: '2026-01-01' });
    },

    roster_columns: roster('a,b'),
    roster_no_rows: roster('username'),
    roster_no_mail: (as) =>
      as(admin)
        .post('/api/admin/roster')
        .field('invite', 'true')
        .attach('file', Buffer.from('username\nlin'), 'roster.csv'),
    roster_not_found: (as) => as(admin).get('/api/admin/roster/999999'),
    roster_archive_broken: roster('PK\u0003\u0004'),
    roster_archive_unknown: roster(zip({ name: 'workbook.xml', content: '' })),
    roster_archive_too_large: roster(zip({ name: 'users.csv', content: '', size: 2 ** 27 })),
    roster_archive_repeated: roster(zip({ name: 'users.csv', content: '' }, { name: 'a/users.csv', content: '' })),
    roster_version: roster(oneRoster({ 'users.csv': '', 'manifest.csv': 'propertyName,value\noneroster.version,1.0' })),
    roster_not_bulk: roster(
      oneRoster({ 'users.csv': '', 'manifest.csv': 'propertyName,value\noneroster.version,1.1\nfile.users,delta' }),
    ),
    roster_column_missing: roster(oneRoster({ 'users.csv': 'sourcedId' })),

    too_many_submissions: contact(app, {}, world.busy),
    already_submitted: contact(app, { email: world.email }),
    contact_request_not_found: (as) => as(admin).get('/api/admin/contact-requests/999999'),
    status_backward: (as) => as(admin).put(`/api/admin/contact-requests/${world.closed}/status`, { status: 'pending' }),
    contact_request_other_subject: answering(world.other),
    contact_request_closed: answering(world.closed),
  };
}

/** One record each in more projects than a file may create. */
function fileOfManyProjects(head: string): string {
  const rows = Array.from({ length: 201 }, (_, index) => {
    const start = Date.UTC(2026, 0, 1, index);
    return `New ${index},${new Date(start).toISOString()},${new Date(start + 60_000).toISOString()}`;
  });
  return [head, ...rows].join('\n');
}
