import { onePixel } from './one-pixel.ts';
import { createToken } from './personal-tokens.ts';
import { actorOf, addSession, assign, createProject } from './records.ts';
import type { TestApp, TestUser } from './test-app.ts';

export const callers = ['anonymous', 'owner', 'assigned', 'legacy', 'unrelated', 'inactive', 'admin'] as const;
export type Caller = (typeof callers)[number];

/** Test data for a row: the owner's project with a record, one in the trash, and the data that administrators manage. */
export type World = {
  people: Record<Exclude<Caller, 'anonymous'>, TestUser>;
  project: number;
  trashed: number;
  session: number;
  user: number;
  request: number;
  group: number;
  webhook: number;
  delivery: number;
  reportLink: number;
  term: number;
  schoolDay: number;
  /** The owner's days off, and those of the user. */
  daysOff: number;
  daysOffOfUser: number;
  /** The owner's personal access token. */
  token: number;
};

export type Row = {
  path: (world: World) => string;
  body?: (world: World) => object;
  /** The file of operations that take an upload. */
  file?: { field: string; content: () => Promise<Buffer>; name: string };
  /** The status for the owner of the project, an assigned user (by relation or former field), an unrelated one, an administrator. */
  owner: number;
  assigned: number;
  unrelated: number;
  admin: number;
  /** The status for callers who are not signed in or inactive; 401 by default. */
  unauthenticated?: number;
};

const everybody = (status: number) => ({ owner: status, assigned: status, unrelated: status, admin: status });
const adminsOnly = (admin: number) => ({ owner: 403, assigned: 403, unrelated: 403, admin });
const viewers = (status: number) => ({ owner: status, assigned: status, unrelated: 403, admin: status });
const managers = (status: number) => ({ owner: status, assigned: 403, unrelated: 403, admin: status });
const path = (text: string) => () => text;
const ofProject =
  (rest = '') =>
  (world: World) =>
    `/api/projects/${world.project}${rest}`;
const ofSession = (world: World) => `/api/sessions/${world.session}`;
const ofUser =
  (rest = '') =>
  (world: World) =>
    `/api/admin/users/${world.user}${rest}`;
const ofRequest =
  (rest = '') =>
  (world: World) =>
    `/api/admin/contact-requests/${world.request}${rest}`;
const ofGroup =
  (rest = '') =>
  (world: World) =>
    `/api/admin/groups/${world.group}${rest}`;
const ofWebhook =
  (rest = '') =>
  (world: World) =>
    `/api/admin/webhooks/${world.webhook}${rest}`;
const ofEntry = (world: World) => ofUser(`/days-off/${world.daysOffOfUser}`)(world);
const holiday = () => ({ name: 'Sports days', from: '2026-10-29', to: '2026-10-30', kind: 'off' });
const dayOff = () => ({ from: '2026-02-03', to: '2026-02-04', reason: 'Ill' });
const january = { from: '2026-01-01', to: '2026-01-31' };
const record = () => ({ started_at: '2026-03-01T08:00:00Z', duration_seconds: 600 });

/** Who may call each operation; an operation without a row fails the test. */
export const table: Record<string, Row> = {
  getHealth: { path: path('/healthz'), ...everybody(200), unauthenticated: 200 },
  getMeta: { path: path('/api/meta'), ...everybody(200), unauthenticated: 200 },
  getMetrics: { path: path('/metrics'), ...everybody(200), unauthenticated: 200 },
  getReadiness: { path: path('/readyz'), ...everybody(200), unauthenticated: 200 },

  login: {
    path: path('/api/auth/login'),
    body: () => ({ username: 'nobody', password: 'wrong password' }),
    ...everybody(401),
  },
  refreshToken: { path: path('/api/auth/refresh'), body: () => ({ refresh_token: 'unknown' }), ...everybody(401) },
  browserSignIn: {
    path: path('/api/auth/browser/sign-in'),
    body: () => ({ username: 'nobody else', password: 'wrong password' }),
    ...everybody(401),
  },
  beginSingleSignOn: {
    path: path('/api/auth/browser/single-sign-on'),
    body: () => ({}),
    ...everybody(404),
    unauthenticated: 404,
  },
  finishSingleSignOn: {
    path: path('/api/auth/browser/single-sign-on/finish'),
    body: () => ({ query: 'code=unknown&state=unknown' }),
    ...everybody(404),
    unauthenticated: 404,
  },
  browserRefresh: { path: path('/api/auth/browser/refresh'), body: () => ({}), ...everybody(401) },
  browserSignOut: {
    path: path('/api/auth/browser/sign-out'),
    body: () => ({}),
    ...everybody(200),
    unauthenticated: 200,
  },
  logout: { path: path('/api/auth/logout'), ...everybody(200) },
  getMe: { path: path('/api/auth/me'), ...everybody(200) },
  updateMe: { path: path('/api/auth/me'), body: () => ({ display_name: 'New name' }), ...everybody(200) },
  confirmEmail: {
    path: path('/api/auth/email/confirm'),
    body: () => ({ token: 'unknown' }),
    ...everybody(400),
    unauthenticated: 400,
  },
  unsubscribe: { path: path('/api/mail/unsubscribe?token=unknown'), ...everybody(400), unauthenticated: 400 },
  // Invalid, because one address may not request many links.
  forgotPassword: {
    path: path('/api/auth/forgot-password'),
    body: () => ({ email: 'no address' }),
    ...everybody(400),
    unauthenticated: 400,
  },
  acceptLink: {
    path: path('/api/auth/accept'),
    body: () => ({ token: 'unknown', password: 'a good password' }),
    ...everybody(400),
    unauthenticated: 400,
  },
  setUp: {
    path: path('/api/setup'),
    body: () => ({
      ...{ token: 'unknown', username: 'second', email: 'second@example.org', password: 'a good password' },
    }),
    ...everybody(400),
    unauthenticated: 400,
  },
  changePassword: {
    path: path('/api/auth/password'),
    body: () => ({ current_password: 'wrong password', new_password: 'another password' }),
    ...everybody(400),
  },

  // Invalid, because one address may not send many wrong passwords.
  deleteMe: { path: path('/api/me'), body: () => ({ current_password: 1 }), ...everybody(400) },

  listSignIns: { path: path('/api/auth/sign-ins'), ...everybody(200) },
  endSignIns: { path: path('/api/auth/sign-ins'), ...everybody(200) },
  endSignIn: { path: path('/api/auth/sign-ins/00000000-0000-4000-8000-000000000000'), ...everybody(404) },
  beginTotp: {
    path: path('/api/auth/totp'),
    body: () => ({ current_password: 'wrong password' }),
    ...everybody(400),
  },
  confirmTotp: { path: path('/api/auth/totp/confirm'), body: () => ({ otp: '123456' }), ...everybody(409) },
  disableTotp: {
    path: path('/api/auth/totp'),
    body: () => ({ current_password: 'wrong password', otp: '123456' }),
    ...everybody(400),
  },
  getCalendar: { path: path('/api/me/calendar'), ...everybody(200) },
  createCalendar: { path: path('/api/me/calendar'), ...everybody(200) },
  deleteCalendar: { path: path('/api/me/calendar'), ...everybody(404) },
  readCalendar: { path: path(`/api/calendar.ics?token=${'x'.repeat(43)}`), ...everybody(404), unauthenticated: 404 },
  requestExport: { path: path('/api/me/export'), ...everybody(202) },
  getExport: { path: path('/api/me/export'), ...everybody(200) },
  downloadExport: { path: path('/api/me/export/file'), ...everybody(404) },
  listTokens: { path: path('/api/me/tokens'), ...everybody(200) },
  createToken: {
    path: path('/api/me/tokens'),
    body: () => ({ name: 'Script', scopes: ['read'], expires_at: new Date(Date.now() + 86_400_000).toISOString() }),
    ...everybody(201),
  },
  revokeToken: { path: (world) => `/api/me/tokens/${world.token}`, ...everybody(404), owner: 200 },
  getChannel: { path: path('/api/me/channel'), ...everybody(200) },
  saveChannel: { path: path('/api/me/channel'), body: () => ({ weekly: true }), ...everybody(400) },
  testChannel: { path: path('/api/me/channel/test'), body: () => ({}), ...everybody(400) },
  deleteChannel: { path: path('/api/me/channel'), ...everybody(404) },
  listTags: { path: path('/api/me/tags'), ...everybody(200) },
  getTag: { path: path('/api/me/tags/exam'), ...everybody(404), owner: 200 },
  renameTag: { path: path('/api/me/tags/exam'), body: () => ({ name: 'Exam' }), ...everybody(404), owner: 200 },
  deleteTag: { path: path('/api/me/tags/exam'), ...everybody(404), owner: 200 },
  resetTotp: { path: ofUser('/totp'), ...adminsOnly(200) },
  unlinkIdentity: { path: ofUser('/identity'), ...adminsOnly(200) },

  listUsers: { path: path('/api/admin/users'), ...adminsOnly(200) },
  createUser: {
    path: path('/api/admin/users'),
    body: (world) => ({
      username: `new-${world.project}`,
      email: `new-${world.project}@example.org`,
      display_name: 'New',
    }),
    ...adminsOnly(201),
  },
  createUsers: {
    path: path('/api/admin/users/bulk'),
    body: (world) => ({ users: [{ username: `many-${world.project}`, email: `many-${world.project}@example.org` }] }),
    ...adminsOnly(200),
  },
  importRoster: {
    path: path('/api/admin/roster'),
    file: { field: 'file', content: async () => Buffer.from('nothing,known\n1,2\n'), name: 'a.csv' },
    ...adminsOnly(400),
  },
  listRosters: { path: path('/api/admin/roster'), ...adminsOnly(200) },
  getRoster: { path: path('/api/admin/roster/999999'), ...adminsOnly(404) },
  getUser: { path: ofUser(), ...adminsOnly(200) },
  updateUser: { path: ofUser(), body: () => ({ display_name: 'Changed' }), ...adminsOnly(200) },
  deleteUser: { path: ofUser(), ...adminsOnly(200) },
  resetPassword: { path: ofUser('/reset-password'), ...adminsOnly(200) },
  inviteUser: { path: ofUser('/invite'), ...adminsOnly(200) },
  sendResetLink: { path: ofUser('/reset-link'), ...adminsOnly(200) },

  listGroups: { path: path('/api/admin/groups'), ...adminsOnly(200) },
  createGroup: {
    path: path('/api/admin/groups'),
    body: (world) => ({ name: `New group ${world.project}` }),
    ...adminsOnly(201),
  },
  getGroup: { path: ofGroup(), ...adminsOnly(200) },
  updateGroup: { path: ofGroup(), body: () => ({ user_ids: [] }), ...adminsOnly(200) },
  changeGroupMembers: {
    path: ofGroup('/members'),
    body: (world) => ({ add: [world.people.unrelated.id] }),
    ...adminsOnly(200),
  },
  deleteGroup: { path: ofGroup(), ...adminsOnly(200) },
  // There is no mail server.
  sendMessage: {
    path: path('/api/admin/messages'),
    body: (world) => ({ user_ids: [world.people.unrelated.id], subject: 'Piano', text: 'On Friday.' }),
    ...adminsOnly(409),
  },

  getGroupStatistics: { path: ofGroup('/statistics'), ...adminsOnly(200) },
  getGroupComparison: {
    path: ofGroup('/comparison?from=2026-02-02&to=2026-02-08&other_from=2026-01-26&other_to=2026-02-01'),
    ...adminsOnly(200),
  },
  exportGroupComparison: {
    path: ofGroup('/comparison/export?from=2026-02-02&to=2026-02-08&other_from=2026-01-26&other_to=2026-02-01'),
    ...adminsOnly(200),
  },
  listTerms: { path: path('/api/admin/terms'), ...adminsOnly(200) },
  createTerm: {
    path: path('/api/admin/terms'),
    body: () => ({ name: 'Spring term', from: '2031-02-22', to: '2031-07-09' }),
    ...adminsOnly(201),
  },
  updateTerm: {
    path: (world) => `/api/admin/terms/${world.term}`,
    body: () => ({ name: 'Autumn term', from: '2030-09-01', to: '2031-01-20' }),
    ...adminsOnly(200),
  },
  deleteTerm: { path: (world) => `/api/admin/terms/${world.term}`, ...adminsOnly(200) },
  listSchoolDays: { path: path('/api/admin/school-days'), ...adminsOnly(200) },
  createSchoolDay: { path: path('/api/admin/school-days'), body: holiday, ...adminsOnly(201) },
  updateSchoolDay: { path: (world) => `/api/admin/school-days/${world.schoolDay}`, body: holiday, ...adminsOnly(200) },
  deleteSchoolDay: { path: (world) => `/api/admin/school-days/${world.schoolDay}`, ...adminsOnly(200) },
  importSchoolDays: {
    path: path('/api/admin/school-days/import'),
    file: { field: 'file', content: async () => Buffer.from('no calendar'), name: 'a.ics' },
    ...adminsOnly(400),
  },
  getSchoolYear: { path: path('/api/school-year'), ...everybody(200) },
  listDaysOff: { path: path('/api/me/days-off'), ...everybody(200) },
  createDaysOff: { path: path('/api/me/days-off'), body: dayOff, ...everybody(201) },
  updateDaysOff: {
    path: (world) => `/api/me/days-off/${world.daysOff}`,
    body: dayOff,
    ...everybody(404),
    owner: 200,
  },
  deleteDaysOff: { path: (world) => `/api/me/days-off/${world.daysOff}`, ...everybody(404), owner: 200 },
  listDaysOffOfUser: { path: ofUser('/days-off'), ...adminsOnly(200) },
  excuseUser: { path: ofUser('/days-off'), body: dayOff, ...adminsOnly(201) },
  updateDaysOffOfUser: { path: ofEntry, body: dayOff, ...adminsOnly(200) },
  deleteDaysOffOfUser: { path: ofEntry, ...adminsOnly(200) },
  getStudentNote: { path: ofUser('/note'), ...adminsOnly(200) },
  saveStudentNote: { path: ofUser('/note'), body: () => ({ text: 'Calls after four.' }), ...adminsOnly(200) },
  listProgress: { path: path('/api/admin/progress'), ...adminsOnly(200) },
  getProgressTrend: { path: path('/api/admin/progress/trend'), ...adminsOnly(200) },
  exportProgress: { path: path('/api/admin/progress/export'), ...adminsOnly(200) },
  listProjectHours: { path: path('/api/admin/progress/projects'), ...adminsOnly(200) },
  exportProjectHours: { path: path('/api/admin/progress/projects/export'), ...adminsOnly(200) },

  listAuditEntries: { path: path('/api/admin/audit'), ...adminsOnly(200) },
  listWebhooks: { path: path('/api/admin/webhooks'), ...adminsOnly(200) },
  createWebhook: {
    path: path('/api/admin/webhooks'),
    body: () => ({ url: 'https://192.0.2.1.invalid/', events: ['goal.reached'] }),
    ...adminsOnly(201),
  },
  getWebhook: { path: ofWebhook(), ...adminsOnly(200) },
  updateWebhook: { path: ofWebhook(), body: () => ({ events: ['session.created'] }), ...adminsOnly(200) },
  rotateWebhookSecret: { path: ofWebhook('/rotate-secret'), ...adminsOnly(200) },
  pingWebhook: { path: ofWebhook('/ping'), ...adminsOnly(201) },
  listWebhookDeliveries: { path: ofWebhook('/deliveries'), ...adminsOnly(200) },
  replayWebhookDelivery: {
    path: (world) => `/api/admin/webhooks/${world.webhook}/deliveries/${world.delivery}/replay`,
    ...adminsOnly(200),
  },
  deleteWebhook: { path: ofWebhook(), ...adminsOnly(200) },
  getBackgroundWork: { path: path('/api/admin/background-work'), ...adminsOnly(200) },

  listProjects: { path: path('/api/projects'), ...everybody(200) },
  createProject: {
    path: path('/api/projects'),
    body: (world) => ({ name: 'New project', assigned_user_ids: [world.people.unrelated.id] }),
    ...everybody(201),
  },
  listCategories: { path: path('/api/projects/categories'), ...everybody(200) },
  listAssignableUsers: { path: path('/api/projects/users'), ...adminsOnly(200) },
  listTrash: { path: path('/api/projects/trash'), ...everybody(200) },
  getProject: { path: ofProject(), ...viewers(200) },
  updateProject: { path: ofProject(), body: () => ({ name: 'Changed' }), ...managers(200) },
  deleteProject: { path: ofProject(), ...managers(200) },
  restoreProject: {
    path: (world) => `/api/projects/${world.trashed}/restore`,
    owner: 200,
    assigned: 404,
    unrelated: 404,
    admin: 200,
  },
  uploadProjectImage: {
    path: ofProject('/image'),
    file: { field: 'image', content: onePixel, name: 'a.png' },
    ...managers(200),
  },
  deleteProjectImage: { path: ofProject('/image'), ...managers(200) },
  batchAssign: {
    path: path('/api/projects/batch-assign'),
    body: (world) => ({ project_ids: [world.project], assigned_user_ids: [] }),
    ...adminsOnly(200),
  },
  listAssignments: { path: ofProject('/assignments'), ...managers(200) },
  listMembers: { path: ofProject('/members'), ...managers(200) },

  createSession: { path: ofProject('/sessions'), body: record, ...viewers(201) },
  listProjectSessions: { path: ofProject('/sessions'), ...viewers(200) },
  listSessions: { path: path('/api/sessions'), ...everybody(200) },
  exportSessions: { path: path('/api/sessions/export'), ...everybody(200) },
  importSessions: {
    path: path('/api/sessions/import'),
    file: { field: 'file', content: async () => Buffer.from('nothing,known\n1,2\n'), name: 'a.csv' },
    ...everybody(400),
  },
  listSessionImports: { path: path('/api/sessions/imports'), ...everybody(200) },
  getSessionImport: { path: path('/api/sessions/imports/999999'), ...everybody(404) },
  undoSessionImport: { path: path('/api/sessions/imports/999999'), ...everybody(404) },
  getSession: { path: ofSession, owner: 200, assigned: 403, unrelated: 403, admin: 200 },
  updateSession: {
    path: ofSession,
    body: () => ({ note: 'Changed' }),
    owner: 200,
    assigned: 403,
    unrelated: 403,
    admin: 200,
  },
  deleteSession: { path: ofSession, owner: 200, assigned: 403, unrelated: 403, admin: 200 },
  getTimer: { path: path('/api/timer'), ...everybody(200) },
  startTimer: { path: path('/api/timer/start'), body: (world) => ({ project_id: world.project }), ...viewers(201) },
  stopTimer: { path: path('/api/timer/stop'), ...everybody(409) },

  sync: { path: path('/api/sync'), ...everybody(200) },
  streamEvents: { path: path('/api/events?seconds=0'), ...everybody(200) },
  getDashboard: { path: path('/api/dashboard'), ...everybody(200) },
  getProjectForecast: { path: ofProject('/forecast'), ...viewers(200) },
  listForecasts: { path: path('/api/forecasts?project_ids=1'), ...everybody(200) },
  getProjectStatistics: { path: ofProject('/stats'), ...viewers(200) },
  getStatistics: { path: path('/api/stats'), ...everybody(200) },
  getReport: {
    path: (world) => `/api/reports/students/${world.people.owner.id}?from=2026-01-01&to=2026-01-31`,
    ...{ owner: 200, assigned: 403, unrelated: 403, admin: 200 },
  },
  createReportLink: {
    path: (world) => `/api/reports/students/${world.people.owner.id}/links`,
    body: () => ({ ...january, expires_at: new Date(Date.now() + 86_400_000).toISOString() }),
    ...adminsOnly(201),
  },
  listReportLinks: { path: path('/api/reports/links'), ...adminsOnly(200) },
  revokeReportLink: { path: (world) => `/api/reports/links/${world.reportLink}`, ...adminsOnly(200) },
  readSharedReport: {
    path: path('/api/reports/shared'),
    body: () => ({ token: 'unknown' }),
    ...everybody(404),
    unauthenticated: 404,
  },
  listAchievements: { path: path('/api/achievements'), ...everybody(200) },

  getAchievementIcon: { path: path('/achievements/first_record.svg'), ...everybody(200), unauthenticated: 200 },
  getCaptcha: { path: path('/api/contact/captcha'), ...everybody(200), unauthenticated: 200 },
  submitContactRequest: {
    path: path('/api/contact/submit'),
    body: () => ({}),
    ...everybody(400),
    unauthenticated: 400,
  },
  listContactRequests: { path: path('/api/admin/contact-requests'), ...adminsOnly(200) },
  exportContactRequests: { path: path('/api/admin/contact-requests/export'), ...adminsOnly(200) },
  getContactRequest: { path: ofRequest(), ...adminsOnly(200) },
  changeContactRequests: {
    path: path('/api/admin/contact-requests/bulk'),
    body: (world) => ({ ids: [world.request], delete: true }),
    ...adminsOnly(200),
  },
  advanceContactRequest: { path: ofRequest('/status'), body: () => ({ status: 'reviewed' }), ...adminsOnly(200) },
  deleteContactRequest: { path: ofRequest(), ...adminsOnly(200) },
};

async function insert(app: TestApp, text: string, values: (string | number)[]): Promise<number> {
  const [row] = await app.query<{ id: number }>(`${text} RETURNING id`, values);
  return row?.id ?? 0;
}

export async function createWorld(app: TestApp): Promise<World> {
  const [owner, assigned, legacy, unrelated, inactive, admin, other] = [
    await app.createUser(),
    await app.createUser(),
    await app.createUser(),
    await app.createUser(),
    await app.createUser({ status: 'inactive' }),
    await app.createUser({ role: 'admin' }),
    await app.createUser(),
  ];
  const { projects } = app.container.services;
  const project = await createProject(app, owner, 'The project');
  const trashed = await createProject(app, owner, 'In the trash');
  await projects.delete(actorOf(owner), trashed, undefined);
  await projects.update(actorOf(admin), project, { assigned_user_id: legacy.id }, undefined);
  await assign(app, project, assigned);
  const [started_at, ended_at] = ['2026-02-01T08:00Z', '2026-02-01T09:00Z'];
  const session = await addSession(app, { project_id: project, user_id: owner.id, started_at, ended_at });
  await app.query(`INSERT INTO tags (user_id, name) VALUES ($1, 'exam')`, [owner.id]);
  const request = await insert(
    app,
    `INSERT INTO contact_requests (name, email, subject, message, ip_address, user_agent, created_at, updated_at)
     VALUES ('Lin', 'lin@example.org', 'other', 'Hello', '127.0.0.1', '', now(), now())`,
    [],
  );
  const group = await insert(app, 'INSERT INTO groups (name) VALUES ($1)', [`Group of ${owner.username}`]);
  await app.query('INSERT INTO group_members (group_id, user_id) VALUES ($1, $2)', [group, assigned.id]);
  await app.query('DELETE FROM webhooks'); // there are 20 at most
  const webhook = await insert(
    app,
    `INSERT INTO webhooks (url, events, secret, created_at, updated_at)
     VALUES ('https://example.invalid/', '{contact.created}', 'encrypted', now(), now())`,
    [],
  );
  const delivery = await insert(
    app,
    `INSERT INTO webhook_deliveries (webhook_id, type, object, data, created_at, state)
     VALUES ($1, 'goal.reached', 'project:1', '{}', now(), 'failed')`,
    [webhook],
  );
  const reportLink = await insert(
    app,
    `INSERT INTO report_links (user_id, created_by, token_hash, first_day, last_day, created_at, expires_at)
     VALUES ($1, $2, sha256(gen_random_uuid()::text::bytea), '2026-01-01', '2026-01-31', now(), now() + interval '1 day')`,
    [owner.id, admin.id],
  );
  await app.query('DELETE FROM terms');
  const term = await insert(
    app,
    `INSERT INTO terms (name, first_day, last_day) VALUES ('Autumn term', '2030-09-01', '2031-01-23')`,
    [],
  );
  const schoolDay = await insert(
    app,
    `INSERT INTO school_days (name, first_day, last_day, kind) VALUES ('National Day', '2026-10-01', '2026-10-07', 'off')`,
    [],
  );
  const off = `INSERT INTO days_off (user_id, first_day, last_day, reason, set_by) VALUES ($1, '2026-02-02', '2026-02-02', '', $1)`;
  return {
    term,
    schoolDay,
    daysOff: await insert(app, off, [owner.id]),
    daysOffOfUser: await insert(app, off, [other.id]),
    people: { owner, assigned, legacy, unrelated, inactive, admin },
    project,
    trashed,
    session,
    user: other.id,
    request,
    group,
    webhook,
    delivery,
    reportLink,
    token: (await createToken(app, owner, ['read'])).token_id,
  };
}

const tables = [
  'users',
  'projects',
  'project_assignments',
  'study_sessions',
  'groups',
  'group_members',
  'personal_tokens',
  'tags',
  'webhooks',
  'webhook_deliveries',
  'background_jobs',
  'contact_requests',
  'report_links',
  'terms',
  'school_days',
  'days_off',
  'audit_log',
  'user_list_versions',
  'project_counts',
  'session_counts',
];

/** A hash of the rows of each table that a rejected request must not change. */
export async function fingerprint(app: TestApp): Promise<unknown> {
  const hashes = tables.map((name) => `(SELECT sum(hashtextextended(t::text, 0))::text FROM ${name} t) AS ${name}`);
  return (await app.query(`SELECT ${hashes.join(', ')}`))[0];
}
