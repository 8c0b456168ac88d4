import { onePixel } from './one-pixel.ts';
import { actorOf, addSession, assign, createProject } from './records.ts';
import type { TestApp, TestUser } from './test-app.ts';

/** Of whom an operation is about: a student of the class teacher, one who is also in another class, and one of another class. */
export const subjects = ['inside', 'mixed', 'outside'] as const;
export type Subject = (typeof subjects)[number];

/** A class of the teacher and another one, each with what belongs to their students. */
export type School = {
  teacher: TestUser;
  head: TestUser;
  groups: { own: number; other: number };
  student: Record<Subject, TestUser>;
  /** Projects of the head, assigned to: a student of the class; one of each class; one of the other class. */
  project: Record<Subject, number>;
  trashed: Record<Subject, number>;
  session: Record<Subject, number>;
  link: Record<Subject, number>;
  /** Days off of the class, of the whole school and of the other class; and those of the students, set by the head. */
  schoolDay: Record<Subject, number>;
  daysOff: Record<Subject, number>;
};

/** Occurs in all names that the teacher must not learn. */
export const secretName = 'Zebedee';

export type ScopeRow = {
  path: (school: School, subject: Subject) => string;
  body?: (school: School, subject: Subject) => object;
  file?: { field: string; content: () => Promise<Buffer>; name: string };
  /** The statuses for the three subjects; one for lists, which leave out what is outside. */
  expected: readonly [inside: number, mixed: number, outside: number] | number;
};

const january = 'from=2026-01-01&to=2026-01-31';
const weeks = 'from=2026-02-02&to=2026-02-08&other_from=2026-01-26&other_to=2026-02-01';
const list = (path: string): ScopeRow => ({ path: () => path, expected: 200 });
const ofUser =
  (rest = '') =>
  ({ student }: School, subject: Subject) =>
    `/api/admin/users/${student[subject].id}${rest}`;
const ofProject =
  (rest = '') =>
  ({ project }: School, subject: Subject) =>
    `/api/projects/${project[subject]}${rest}`;
const ofSession = ({ session }: School, subject: Subject) => `/api/sessions/${session[subject]}`;
/** The other class for students of both: it is not the teacher's either. */
const groupOf = ({ groups }: School, subject: Subject) => (subject === 'inside' ? groups.own : groups.other);
const ofGroup =
  (rest = '') =>
  (school: School, subject: Subject) =>
    `/api/admin/groups/${groupOf(school, subject)}${rest}`;
const idOf = ({ student }: School, subject: Subject) => student[subject].id;

const ofDaysOff = (school: School, subject: Subject) =>
  `${ofUser('/days-off')(school, subject)}/${school.daysOff[subject]}`;
/** Of an entry: the class, the whole school, and the other class. */
const entryGroups = ({ groups }: Pick<School, 'groups'>): Record<Subject, number | null> => ({
  inside: groups.own,
  mixed: null,
  outside: groups.other,
});
/** As a calendar. */
export const oneHoliday =
  'BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Field trip\nDTSTART;VALUE=DATE:20260401\nEND:VEVENT\nEND:VCALENDAR\n';
const schoolDay = (group_id: number | null, name = 'Field trip') => {
  const [from, to] = ['2026-11-12', '2026-11-13'];
  return { name, from, to, kind: 'off', group_id };
};
const excuse = { from: '2026-11-16', to: '2026-11-17', reason: 'Operation' };

const editing = [200, 403, 403] as const;
const reading = [200, 200, 403] as const;
const ofOwnGroup = [200, 403, 403] as const;
let accounts = 0;
const newNames = () => {
  accounts += 1;
  return { username: `fresh-${accounts}`, email: `fresh-${accounts}@example.org` };
};

/** Every operation that gives administrators more than ordinary users, unless it is closed to class teachers. */
export const scopeTable: Readonly<Record<string, ScopeRow>> = {
  listUsers: list('/api/admin/users'),
  createUser: {
    path: () => '/api/admin/users',
    body: (school, subject) => ({ ...newNames(), group_ids: [groupOf(school, subject)] }),
    expected: [201, 403, 403],
  },
  createUsers: {
    path: () => '/api/admin/users/bulk',
    body: (school, subject) => ({ users: [newNames()], group_ids: [groupOf(school, subject)] }),
    expected: editing,
  },
  getUser: { path: ofUser(), expected: reading },
  updateUser: { path: ofUser(), body: () => ({ display_name: `Name ${Math.random()}` }), expected: editing },
  resetPassword: { path: ofUser('/reset-password'), body: () => ({}), expected: editing },
  inviteUser: { path: ofUser('/invite'), expected: editing },
  sendResetLink: { path: ofUser('/reset-link'), expected: editing },
  resetTotp: { path: ofUser('/totp'), expected: editing },
  listGroups: list('/api/admin/groups'),
  getGroup: { path: ofGroup(), expected: ofOwnGroup },
  updateGroup: {
    path: ({ groups }) => `/api/admin/groups/${groups.own}`,
    body: ({ student }, subject) => ({
      user_ids: [student.inside.id, student.mixed.id, ...(subject === 'outside' ? [student.outside.id] : [])],
    }),
    expected: [200, 200, 403],
  },
  changeGroupMembers: {
    path: ({ groups }) => `/api/admin/groups/${groups.own}/members`,
    body: (school, subject) => ({ add: [idOf(school, subject)] }),
    expected: reading,
  },
  // There is no mail server: 409 comes before the scope, which has a test of its own.
  sendMessage: {
    path: () => '/api/admin/messages',
    body: (school, subject) => ({ user_ids: [idOf(school, subject)], subject: 'Piano', text: 'On Friday.' }),
    expected: [409, 409, 409],
  },
  getGroupStatistics: { path: ofGroup('/statistics'), expected: ofOwnGroup },
  getGroupComparison: { path: ofGroup(`/comparison?${weeks}`), expected: ofOwnGroup },
  exportGroupComparison: { path: ofGroup(`/comparison/export?${weeks}`), expected: ofOwnGroup },
  listProgress: list('/api/admin/progress'),
  getProgressTrend: list('/api/admin/progress/trend'),
  exportProgress: list('/api/admin/progress/export'),
  listProjectHours: list('/api/admin/progress/projects'),
  exportProjectHours: list('/api/admin/progress/projects/export'),
  listAssignableUsers: list('/api/projects/users'),
  batchAssign: {
    path: () => '/api/projects/batch-assign',
    body: (school, subject) => ({
      project_ids: [school.project[subject]],
      assigned_user_ids: [idOf(school, subject)],
    }),
    expected: reading,
  },
  listProjects: list('/api/projects'),
  createProject: {
    path: () => '/api/projects',
    body: (school, subject) => ({ name: 'New', assigned_user_ids: [idOf(school, subject)] }),
    expected: [201, 201, 403],
  },
  getProject: { path: ofProject(), expected: reading },
  updateProject: { path: ofProject(), body: () => ({ name: `Name ${Math.random()}` }), expected: editing },
  deleteProject: { path: ofProject(), expected: editing },
  restoreProject: {
    path: ({ trashed }, subject) => `/api/projects/${trashed[subject]}/restore`,
    expected: [200, 404, 404],
  },
  listTrash: list('/api/projects/trash'),
  uploadProjectImage: {
    path: ofProject('/image'),
    file: { field: 'image', content: onePixel, name: 'a.png' },
    expected: editing,
  },
  deleteProjectImage: { path: ofProject('/image'), expected: editing },
  listAssignments: { path: ofProject('/assignments'), expected: reading },
  listMembers: { path: ofProject('/members'), expected: reading },
  createSession: {
    path: ofProject('/sessions'),
    body: () => ({ started_at: '2026-02-03T08:00:00Z', ended_at: '2026-02-03T09:00:00Z' }),
    expected: [201, 409, 403], // the second overlaps the first
  },
  startTimer: {
    path: () => '/api/timer/start',
    body: ({ project }, subject) => ({ project_id: project[subject] }),
    expected: [201, 201, 403],
  },
  listProjectSessions: { path: ofProject('/sessions'), expected: reading },
  listSessions: list('/api/sessions'),
  exportSessions: list('/api/sessions/export'),
  getSession: { path: ofSession, expected: reading },
  updateSession: { path: ofSession, body: () => ({ note: `Note ${Math.random()}` }), expected: reading },
  deleteSession: { path: ofSession, expected: reading },
  sync: list('/api/sync'),
  streamEvents: list('/api/events?seconds=0'),
  listForecasts: {
    path: (school, subject) => `/api/forecasts?project_ids=${school.project.mixed}&user_id=${idOf(school, subject)}`,
    expected: reading,
  },
  getProjectForecast: {
    path: (school, subject) => `/api/projects/${school.project.mixed}/forecast?user_id=${idOf(school, subject)}`,
    expected: reading,
  },
  getProjectStatistics: {
    path: (school, subject) => `/api/projects/${school.project.mixed}/stats?user_id=${idOf(school, subject)}`,
    expected: reading,
  },
  getStatistics: { path: (school, subject) => `/api/stats?user_id=${idOf(school, subject)}`, expected: reading },
  getReport: {
    path: (school, subject) => `/api/reports/students/${idOf(school, subject)}?${january}`,
    expected: reading,
  },
  createReportLink: {
    path: (school, subject) => `/api/reports/students/${idOf(school, subject)}/links`,
    body: () => ({
      ...{ from: '2026-01-01', to: '2026-01-31' },
      expires_at: new Date(Date.now() + 86_400_000).toISOString(),
    }),
    expected: [201, 201, 403],
  },
  listReportLinks: list('/api/reports/links'),
  listTerms: list('/api/admin/terms'),
  listSchoolDays: list('/api/admin/school-days'),
  createSchoolDay: {
    path: () => '/api/admin/school-days',
    body: (school, subject) => schoolDay(entryGroups(school)[subject]),
    expected: [201, 403, 403],
  },
  // Of the whole school, as without a class; tests/features/school/school-year/calendar-import.test.ts has those of classes.
  importSchoolDays: {
    path: () => '/api/admin/school-days/import',
    file: { field: 'file', content: async () => Buffer.from(oneHoliday), name: 'a.ics' },
    expected: [403, 403, 403],
  },
  updateSchoolDay: {
    path: (school, subject) => `/api/admin/school-days/${school.schoolDay[subject]}`,
    body: (school) => schoolDay(school.groups.own),
    expected: editing,
  },
  deleteSchoolDay: {
    path: (school, subject) => `/api/admin/school-days/${school.schoolDay[subject]}`,
    expected: editing,
  },
  getSchoolYear: { path: (school, subject) => `/api/school-year?user_id=${idOf(school, subject)}`, expected: reading },
  listDaysOffOfUser: { path: ofUser('/days-off'), expected: reading },
  excuseUser: { path: ofUser('/days-off'), body: () => excuse, expected: [201, 201, 403] },
  updateDaysOffOfUser: { path: ofDaysOff, body: () => excuse, expected: reading },
  deleteDaysOffOfUser: { path: ofDaysOff, expected: reading },
  getStudentNote: { path: ofUser('/note'), expected: reading },
  saveStudentNote: { path: ofUser('/note'), body: () => ({ text: `Note ${Math.random()}` }), expected: reading },
  revokeReportLink: { path: ({ link }, subject) => `/api/reports/links/${link[subject]}`, expected: reading },
};

async function perSubject<Value>(make: (subject: Subject) => Promise<Value>): Promise<Record<Subject, Value>> {
  return { inside: await make('inside'), mixed: await make('mixed'), outside: await make('outside') };
}

let schools = 0;
export async function createSchool(app: TestApp): Promise<School> {
  schools += 1;
  const hidden = `${secretName} ${schools}`;
  const head = await app.createUser({ role: 'admin' });
  const teacher = await app.createUser({ role: 'admin' });
  const created = async (path: string, body: object) =>
    Number((await app.as(head).post(path, body).expect(201)).body.data.id);
  const student = await perSubject((subject) =>
    app.createUser({ display_name: subject === 'outside' ? hidden : subject }),
  );
  const group = async (name: string, members: readonly TestUser[]) => {
    const user_ids = members.map(({ id }) => id);
    return created('/api/admin/groups', { name, user_ids });
  };
  const groups = {
    own: await group(`Own ${schools}`, [student.inside, student.mixed]),
    other: await group(hidden, [student.mixed, student.outside]),
  };
  const scope = { admin_scope: 'groups', admin_group_ids: [groups.own] };
  await app.as(head).put(`/api/admin/users/${teacher.id}`, scope).expect(200);
  const assigned = { inside: [student.inside], mixed: [student.mixed, student.outside], outside: [student.outside] };
  const create = (prefix: string) =>
    perSubject(async (subject) => {
      const name = subject === 'outside' ? `${prefix} ${hidden}` : `${prefix} ${subject}`;
      const id = await createProject(app, head, name);
      await assign(app, id, ...assigned[subject]);
      return id;
    });
  const project = await create('Project');
  const trashed = await create('Trashed');
  for (const id of Object.values(trashed)) await app.container.services.projects.delete(actorOf(head), id, undefined);
  const [started_at, ended_at] = ['2026-02-01T08:00Z', '2026-02-01T09:00Z'];
  const session = await perSubject((subject) =>
    addSession(app, { project_id: project[subject], user_id: student[subject].id, started_at, ended_at }),
  );
  const link = await perSubject(async (subject) => {
    const body = { from: '2026-01-01', to: '2026-01-31', expires_at: new Date(Date.now() + 86_400_000).toISOString() };
    return created(`/api/reports/students/${student[subject].id}/links`, body);
  });
  const entries = entryGroups({ groups });
  const schoolDays = await perSubject((subject) =>
    created('/api/admin/school-days', schoolDay(entries[subject], subject === 'outside' ? hidden : 'Field trip')),
  );
  const daysOff = await perSubject((subject) =>
    created(`/api/admin/users/${student[subject].id}/days-off`, {
      ...excuse,
      reason: subject === 'outside' ? hidden : '',
    }),
  );
  return { teacher, head, groups, student, project, trashed, session, link, schoolDay: schoolDays, daysOff };
}
