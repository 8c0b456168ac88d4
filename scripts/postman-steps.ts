/** The order of the generated requests, and the variables and bodies with which they can be run one after the other. */

export type Step = {
  id: string;
  /** Variables to set from the response, by paths in its JSON. */
  set?: Readonly<Record<string, string>>;
  /** Replaces fields of the example body. `{{…Id}}` is inserted as a number. */
  body?: Readonly<Record<string, unknown>>;
  query?: Readonly<Record<string, string>>;
  /** The file to upload, in docs/postman. */
  file?: string;
  /** The expected status if there is no valid input, such as a mailed token; several if it depends on earlier runs. */
  status?: 400 | 404 | 409 | readonly number[];
  /** All other requests would fail: the run ends if this one fails. */
  isRequired?: boolean;
  /** Lines of the pre-request script. */
  before?: readonly string[];
};

const captcha = [
  '// A new captcha for this submission. Its answer is included with CAPTCHA_MODE=reveal only; otherwise read the image.',
  "pm.sendRequest(pm.environment.get('baseUrl') + '/api/contact/captcha', (error, response) => {",
  '  if (error) throw error;',
  '  const { captcha_id, answer } = response.json().data;',
  "  pm.collectionVariables.set('captchaId', captcha_id);",
  "  if (answer) pm.collectionVariables.set('captcha', answer);",
  '});',
];

const totpCode = [
  '// The code that an authenticator application would show (RFC 6238).',
  "const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';",
  "const secret = pm.collectionVariables.get('totpSecret');",
  "const bits = [...secret].map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0')).join('');",
  "const key = bits.match(/.{8}/g).map((byte) => parseInt(byte, 2).toString(16).padStart(2, '0')).join('');",
  "const counter = Math.floor(Date.now() / 30000).toString(16).padStart(16, '0');",
  'const hmac = CryptoJS.HmacSHA1(CryptoJS.enc.Hex.parse(counter), CryptoJS.enc.Hex.parse(key)).toString();',
  'const number = parseInt(hmac.substr(parseInt(hmac.slice(-1), 16) * 2, 8), 16) & 0x7fffffff;',
  "pm.collectionVariables.set('otp', String(number % 1000000).padStart(6, '0'));",
];

const anotherSignIn = [
  '// Creates another sign-in to end.',
  "const url = pm.environment.get('baseUrl') + '/api/auth';",
  "const header = { 'Content-Type': 'application/json' };",
  "const raw = JSON.stringify({ username: pm.environment.get('username'), password: pm.environment.get('password') });",
  "pm.sendRequest({ url: url + '/login', method: 'POST', header, body: { mode: 'raw', raw } }, (error, response) => {",
  '  if (error) throw error;',
  "  const authorization = { Authorization: 'Bearer ' + response.json().data.token };",
  "  pm.sendRequest({ url: url + '/sign-ins', header: authorization }, (failure, list) => {",
  '    if (failure) throw failure;',
  "    pm.collectionVariables.set('signInId', list.json().data.find((entry) => entry.current).id);",
  '  });',
  '});',
];

const comparedWeeks = { from: '2026-02-02', to: '2026-02-08', other_from: '2026-01-26', other_to: '2026-02-01' };
const tokenExpiry = [
  '// In thirty days.',
  "pm.collectionVariables.set('tokenExpiry', new Date(Date.now() + 30 * 86400000).toISOString());",
];

const otherUser = [
  '// The account that was created with others.',
  "pm.collectionVariables.set('userId', pm.collectionVariables.get('otherUserId'));",
];

const tokens = { token: 'data.token', refreshToken: 'data.refresh_token' };

/** In an order in which each request has what it needs. */
export const folders: readonly { name: string; about: string; steps: readonly Step[] }[] = [
  {
    name: 'Sign in',
    about: 'Send “Sign in” first: it stores the token for all other requests.',
    steps: [
      {
        id: 'login',
        isRequired: true,
        set: tokens,
        body: { username: '{{username}}', password: '{{password}}', otp: undefined },
      },
      { id: 'getMe', set: { displayName: 'data.display_name' } },
      {
        id: 'updateMe',
        body: {
          ...{
            display_name: '{{displayName}}',
            email: undefined,
            timezone: undefined,
            time_zone: undefined,
            current_password: undefined,
          },
          ...{ locale: undefined, week_start: undefined, day_start_hour: undefined, rest_weekdays: undefined },
          ...{
            daily_goal_minutes: undefined,
            weekly_goal_minutes: undefined,
            streak_reminder_hour: undefined,
            weekly_mail: undefined,
          },
        },
      },
      { id: 'confirmEmail', status: 400 },
      { id: 'unsubscribe', query: { token: 'unknown' }, status: 400 },
      { id: 'forgotPassword' },
      { id: 'acceptLink', status: 400 },
      { id: 'setUp', status: 400 },
      { id: 'refreshToken', set: tokens, body: { refresh_token: '{{refreshToken}}' } },
      {
        id: 'browserSignIn',
        body: { username: '{{username}}', password: '{{password}}', keep_signed_in: false, otp: undefined },
      },
      { id: 'beginSingleSignOn', status: 404 },
      { id: 'finishSingleSignOn', status: 404 },
      { id: 'browserRefresh' },
      { id: 'browserSignOut' },
      { id: 'listSignIns' },
      { id: 'endSignIn', before: anotherSignIn },
      {
        id: 'createToken',
        set: { tokenId: 'data.id' },
        body: { expires_at: '{{tokenExpiry}}' },
        before: tokenExpiry,
      },
      { id: 'createCalendar' },
      { id: 'getCalendar' },
      { id: 'readCalendar', query: { token: 'pUq4c1vTn0xgYv3mB7k2dQpUq4c1vTn0xgYv3mB7k2d' }, status: 404 },
      { id: 'deleteCalendar' },
      { id: 'requestExport', status: [202, 409, 429] },
      { id: 'getExport' },
      { id: 'downloadExport', status: [200, 404] },
      { id: 'saveChannel' },
      { id: 'testChannel', status: 400, body: { kind: 'url', url: 'http://127.0.0.1/' } },
      { id: 'getChannel' },
      { id: 'deleteChannel' },
      { id: 'listTokens' },
      { id: 'revokeToken' },
    ],
  },
  {
    name: 'Use a second factor',
    about: 'Enables it and disables it again.',
    steps: [
      { id: 'beginTotp', set: { totpSecret: 'data.secret' }, body: { current_password: '{{password}}' } },
      {
        id: 'confirmTotp',
        set: { recoveryCode: 'data.recovery_codes[0]' },
        body: { otp: '{{otp}}' },
        before: totpCode,
      },
      { id: 'disableTotp', body: { current_password: '{{password}}', otp: '{{recoveryCode}}' } },
    ],
  },
  {
    name: 'Create accounts',
    about: 'For administrators.',
    steps: [
      {
        id: 'createUser',
        set: { userId: 'data.id' },
        body: { username: 'wang-{{$timestamp}}', email: 'wang-{{$timestamp}}@example.org' },
      },
      {
        id: 'createUsers',
        set: { otherUserId: 'data.results[0].user_id' },
        body: { users: [{ username: 'many-{{$timestamp}}', email: 'many-{{$timestamp}}@example.org' }] },
      },
      { id: 'listUsers' },
      { id: 'getUser' },
      { id: 'updateUser' },
      { id: 'inviteUser' },
      { id: 'sendResetLink' },
      { id: 'resetPassword' },
      { id: 'resetTotp' },
      { id: 'unlinkIdentity' },
      { id: 'importRoster', file: 'roster.csv', body: { dry_run: 'true' }, status: [202, 409] },
      { id: 'listRosters', set: { rosterId: 'data.rosters[0].id' } },
      { id: 'getRoster' },
      { id: 'sendMessage', body: { user_ids: ['{{userId}}'] }, status: [200, 409] },
    ],
  },
  {
    name: 'Manage groups',
    about: 'For administrators: a class with the user created above.',
    steps: [
      {
        id: 'createGroup',
        set: { groupId: 'data.id' },
        body: { name: 'Class {{$timestamp}}', user_ids: ['{{userId}}'] },
      },
      { id: 'listGroups' },
      { id: 'getGroup' },
      { id: 'updateGroup', body: { name: 'Class of {{$timestamp}}' } },
      { id: 'changeGroupMembers', body: { add: ['{{userId}}'], remove: [] } },
      { id: 'getGroupStatistics' },
      { id: 'getGroupComparison', query: comparedWeeks },
      { id: 'exportGroupComparison', query: comparedWeeks },
      { id: 'getReport', query: { from: '2026-01-01', to: '2026-01-31' } },
      {
        id: 'createReportLink',
        set: { reportLinkId: 'data.id' },
        body: { expires_at: '{{tokenExpiry}}' },
        before: tokenExpiry,
      },
      { id: 'listReportLinks' },
      { id: 'readSharedReport', status: 404, body: { token: 'unknown' } },
      { id: 'revokeReportLink' },
      { id: 'listProgress' },
      { id: 'getProgressTrend' },
      { id: 'exportProgress' },
      { id: 'listProjectHours' },
      { id: 'exportProjectHours' },
    ],
  },
  {
    name: 'Manage projects',
    about: 'As an administrator, for the user created above.',
    steps: [
      { id: 'listCategories' },
      { id: 'listAssignableUsers' },
      {
        id: 'createProject',
        set: { projectId: 'data.id' },
        body: { category: 'academic', assigned_user_ids: ['{{userId}}'] },
      },
      { id: 'listProjects' },
      { id: 'getProject' },
      { id: 'updateProject' },
      { id: 'uploadProjectImage', file: 'cover.png' },
    ],
  },
  {
    name: 'Assign projects',
    about: 'For administrators and owners.',
    steps: [
      {
        id: 'batchAssign',
        body: { project_ids: ['{{projectId}}'], user_ids: ['{{userId}}'] },
      },
      { id: 'listAssignments' },
      { id: 'listMembers' },
    ],
  },
  {
    name: 'Record study',
    about: 'By hand, with the timer, or from a file.',
    steps: [
      { id: 'createSession', set: { sessionId: 'data.id' } },
      { id: 'getSession' },
      { id: 'updateSession', body: { note: 'Chapters 3 and 4', tags: ['mock exam'] } },
      { id: 'listTags' },
      { id: 'getTag' },
      { id: 'renameTag' },
      { id: 'deleteTag' },
      { id: 'listSessions' },
      { id: 'sync' },
      { id: 'streamEvents', query: { seconds: '0' } },
      { id: 'listProjectSessions' },
      { id: 'exportSessions' },
      { id: 'importSessions', file: 'records.csv', body: { dry_run: 'true' }, set: { importId: 'data.import_id' } },
      { id: 'listSessionImports' },
      { id: 'getSessionImport' },
      { id: 'undoSessionImport', status: 409 },
      { id: 'startTimer', body: { project_id: '{{projectId}}' }, set: { timerId: 'data.id' } },
      { id: 'getTimer' },
      { id: 'stopTimer', body: { session_id: '{{timerId}}' } },
    ],
  },
  {
    name: 'Keep the school year',
    about: 'Terms, holidays and make-up days, and days off of a person.',
    steps: [
      {
        id: 'createTerm',
        body: { name: 'Autumn term', from: '2026-09-01', to: '2027-01-23' },
        set: { termId: 'data.id' },
      },
      { id: 'listTerms' },
      { id: 'updateTerm', body: { name: 'Autumn term', from: '2026-09-01', to: '2027-01-22' } },
      { id: 'createSchoolDay', set: { schoolDayId: 'data.id' } },
      { id: 'listSchoolDays' },
      { id: 'getSchoolYear' },
      { id: 'updateSchoolDay' },
      { id: 'importSchoolDays', file: 'holidays.ics', body: { dry_run: 'true' } },
      { id: 'createDaysOff', set: { daysOffId: 'data.id' } },
      { id: 'listDaysOff' },
      { id: 'updateDaysOff' },
      { id: 'deleteDaysOff' },
      { id: 'excuseUser', set: { excusedId: 'data.id' } },
      { id: 'listDaysOffOfUser' },
      { id: 'updateDaysOffOfUser' },
      { id: 'deleteDaysOffOfUser' },
      { id: 'saveStudentNote' },
      { id: 'getStudentNote' },
      { id: 'deleteSchoolDay' },
      { id: 'deleteTerm' },
    ],
  },
  {
    name: 'View statistics',
    about: 'Statistics and achievements.',
    steps: [
      { id: 'getDashboard' },
      { id: 'getProjectForecast' },
      { id: 'listForecasts', query: { project_ids: '{{projectId}}' } },
      { id: 'getProjectStatistics' },
      { id: 'getStatistics' },
      { id: 'listAchievements' },
      { id: 'getAchievementIcon' },
    ],
  },
  {
    name: 'Write to the administrators',
    about: 'Without signing in. Each submission requests a captcha; one request per hour and e-mail address.',
    steps: [
      { id: 'getCaptcha' },
      {
        id: 'submitContactRequest',
        set: { contactRequestId: 'requestId' },
        body: { email: 'lin-{{$timestamp}}@example.org', captcha: '{{captcha}}', captcha_id: '{{captchaId}}' },
        before: captcha,
      },
    ],
  },
  {
    name: 'Answer contact requests',
    about: 'For administrators.',
    steps: [
      { id: 'listContactRequests' },
      { id: 'getContactRequest' },
      { id: 'advanceContactRequest' },
      { id: 'exportContactRequests' },
      { id: 'changeContactRequests', body: { ids: ['{{contactRequestId}}'], status: 'resolved' } },
    ],
  },
  {
    name: 'Send events to other programs',
    about: 'For administrators: webhooks and their deliveries. The receiver does not exist, so deliveries fail.',
    steps: [
      {
        id: 'createWebhook',
        set: { webhookId: 'data.id' },
        body: { url: 'https://receiver.invalid/hook', events: ['goal.reached'] },
      },
      { id: 'listWebhooks' },
      { id: 'getWebhook' },
      { id: 'updateWebhook' },
      { id: 'rotateWebhookSecret' },
      { id: 'pingWebhook', set: { deliveryId: 'data.id' } },
      { id: 'listWebhookDeliveries' },
      { id: 'replayWebhookDelivery', status: 409 },
    ],
  },
  {
    name: 'Run the service',
    about: 'Health, metrics and the audit log.',
    steps: [
      { id: 'getHealth' },
      { id: 'getMeta' },
      { id: 'getReadiness' },
      { id: 'getMetrics' },
      { id: 'listAuditEntries' },
      { id: 'getBackgroundWork' },
    ],
  },
  {
    name: 'Clean up',
    about: 'Deletes what the folders above created, and signs out.',
    steps: [
      { id: 'deleteContactRequest' },
      { id: 'deleteSession' },
      { id: 'deleteProjectImage' },
      { id: 'deleteProject' },
      { id: 'listTrash' },
      { id: 'restoreProject' },
      { id: 'deleteProject' },
      { id: 'deleteGroup' },
      { id: 'deleteWebhook' },
      { id: 'deleteUser' },
      { id: 'deleteUser', before: otherUser },
      { id: 'changePassword', body: { current_password: '{{password}}', new_password: '{{password}}' } },
      { id: 'deleteMe', status: 400, body: { current_password: 'not the password', otp: undefined } },
      { id: 'endSignIns' },
      { id: 'logout' },
    ],
  },
];

/** The variable for the `{id}` of a path. */
export const idVariables: readonly [prefix: string, variable: string][] = [
  ['/api/auth/sign-ins/', 'signInId'],
  ['/api/me/tokens/', 'tokenId'],
  ['/api/projects/', 'projectId'],
  ['/api/sessions/imports/', 'importId'],
  ['/api/sessions/', 'sessionId'],
  ['/api/reports/students/', 'userId'],
  ['/api/reports/links/', 'reportLinkId'],
  ['/api/admin/roster/', 'rosterId'],
  ['/api/admin/users/', 'userId'],
  ['/api/admin/groups/', 'groupId'],
  ['/api/admin/contact-requests/', 'contactRequestId'],
  ['/api/admin/webhooks/', 'webhookId'],
  ['/api/admin/terms/', 'termId'],
  ['/api/admin/school-days/', 'schoolDayId'],
  ['/api/me/days-off/', 'daysOffId'],
];
