// Allowed imports, checked by `npm run boundaries`; imports of types count. CONTRIBUTING.md explains the layers.

/** From the lowest floor up: a file imports from its own floor and those below. Floors of several parts: these do not import each other. */
const floors = [
  ['node-version\\.ts$', 'project-root\\.ts$', 'events\\.ts$'],
  ['texts'],
  ['lib'],
  ['config', 'actor\\.ts$', 'db', 'embedded-postgres'],
  ['list-cache', 'transactions'],
  ['http'],
  ['features/operations'],
  ['features/accounts', 'features/contact'],
  ['features/study'],
  ['features/school', 'features/integrations'],
  ['boot'],
  ['cli', 'server\\.ts$'],
];
/** The slices of each area, in the same way; those in one row do not import each other. */
const slices = {
  operations: [
    ['audit', 'background-work', 'live-updates', 'meta', 'monitoring', 'outgoing-requests'],
    ['backups', 'channels', 'mail'],
  ],
  accounts: [
    ['account-notices', 'admin-scope', 'passwords', 'user-locks'],
    ['groups', 'personal-tokens', 'sign-ins'],
    ['account-links'],
    ['users'],
    ['email-change', 'retention', 'second-factor', 'setup'],
    ['auth'],
    ['single-sign-on'],
    ['user-removal'],
    ['own-account'],
  ],
  contact: [['captcha'], ['submissions'], ['inbox']],
  study: [
    ['calendar', 'project-access', 'tags'],
    ['achievements'],
    ['study-sessions'],
    ['goals', 'timer'],
    ['assignments', 'dashboard', 'statistics'],
    ['projects'],
    ['images', 'session-import'],
  ],
  school: [
    ['announcements', 'progress', 'reports', 'roster', 'student-notes'],
    ['reminders', 'school-year'],
  ],
  integrations: [['calendar', 'personal-export', 'sync', 'webhooks']],
};
const http = '^src/http/';
const features = '^src/features/';
const slice = '^src/features/([^/]+/[^/]+)/';
/** The file that composes an area. */
const composers = `${features}(accounts/accounts|contact/contact|study/study|school/school|integrations/integrations|operations/platform|operations/channels/channels)\\.ts$`;

/** Files of a slice that may use HTTP. All others contain rules or SQL. */
const httpSide = '-(routes|router|schemas|responses|cookie)\\.ts$';

/** Files that may use SQL. */
const sqlSide = '-(repository|read-model|sql|projection)\\.ts$|/(project-fields|study-days|identity|rights)\\.ts$';

function forbid(name, comment, from, to) {
  return { name, comment, severity: 'error', from, to };
}

const partsOf = (list) => `^src/(${list.flat().join('|')})`;
const above = floors.map((parts, floor) =>
  forbid(
    `floor-${floor + 1}`,
    'A file knows nothing above or beside its part.',
    { path: partsOf(parts) },
    { path: partsOf(floors.slice(floor)), pathNot: '^src/$1' },
  ),
);

const slicesAbove = Object.entries(slices).flatMap(([area, rows]) =>
  rows.map((row, index) =>
    forbid(
      `${area}-${index + 1}`,
      'A slice imports only from those below it.',
      { path: `${features}${area}/(${row.join('|')})/` },
      { path: `${features}${area}/(${rows.slice(index).flat().join('|')})/`, pathNot: `${features}${area}/$1/` },
    ),
  ),
);

const rules = [
  forbid(
    'no-cycles',
    'Files that import each other, even types, can only be understood together.',
    {},
    { circular: true },
  ),
  forbid('no-unresolved', 'The file or package does not exist.', {}, { couldNotResolve: true }),
  forbid(
    'no-dev-dependencies',
    'Production installs have no development dependencies.',
    { path: '^src/' },
    { dependencyTypes: ['npm-dev', 'npm-no-pkg'] },
  ),
  forbid(
    'src-only',
    'The build contains src/, migrations/ and seeds/.',
    { path: '^src/' },
    { path: '^(tests|bench|client|scripts)/' },
  ),

  ...above,
  ...slicesAbove,
  forbid(
    'lib-alone',
    'Libraries do not depend on features or settings.',
    { path: '^src/lib/' },
    { path: '^src/', pathNot: '^src/(lib|texts)/|^src/project-root\\.ts$' },
  ),
  forbid(
    'accounts-without-contact',
    'Accounts declare what they need of contact requests.',
    { path: `${features}accounts/` },
    { path: `${features}contact/` },
  ),
  forbid(
    'boot-knows-no-command',
    'Commands use startup steps, not the reverse.',
    { path: '^src/boot/' },
    { path: '^src/cli/' },
  ),
  forbid(
    'features-know-no-process',
    'A feature is composed by its area and boot/composition/, and started by boot/ or cli/.',
    { path: features },
    { path: '^src/(boot|cli|server)' },
  ),

  forbid(
    'slice-routes',
    "Another slice's operations are mounted by its area.",
    { path: slice, pathNot: composers },
    {
      path: `${features}.*-(routes|router)\\.ts$`,
      pathNot: '^src/features/$1/',
    },
  ),
  forbid(
    'rules-know-no-http',
    'Services, rules, repositories and read models do not depend on HTTP.',
    { path: features, pathNot: [httpSide, composers].join('|') },
    { path: http, pathNot: '^src/http/(fields|time-fields|input|caller)\\.ts$' },
  ),
  forbid(
    'rules-know-no-routes',
    'Routes call services, and services call repositories.',
    { path: features, pathNot: [httpSide, composers].join('|') },
    { path: `${features}.*-(routes|router)\\.ts$`, dependencyTypesNot: ['type-only'] },
  ),
  forbid(
    'repositories-know-no-rules',
    'A repository or read model calls no service.',
    { path: sqlSide },
    { path: '-service\\.ts$' },
  ),
  forbid(
    'rules-are-pure',
    'The result of a rule depends on its arguments only.',
    { path: '-rules\\.ts$' },
    { path: '^src/(db|http)|-(repository|read-model|service)\\.ts$', dependencyTypesNot: ['type-only'] },
  ),
  forbid(
    'sql-in-repositories',
    'SQL is in repositories, read models and projections.',
    { path: '^src/', pathNot: `^src/(db|list-cache)/|${sqlSide}|/(event-writer|projection)\\.ts$` },
    { path: '^src/db/sql/sql\\.ts$' },
  ),

  forbid(
    'express-in-http',
    'Only http/ and app.ts depend on Express; features define operations.',
    { path: '^src/', pathNot: '^src/(http/|boot/app\\.ts)|/image-router\\.ts$' },
    { path: 'node_modules/(@types/)?express/' },
  ),
  forbid(
    'pg-in-db',
    'Only db/ depends on the database drivers.',
    { path: '^src/', pathNot: '^src/(db|embedded-postgres)/' },
    { path: 'node_modules/(@types/)?(pg|knex)/' },
  ),

  forbid(
    'web-ui-knows-no-feature',
    'Components and libraries of the web application do not depend on features.',
    { path: '^web/src/(ui|lib)/' },
    { path: '^web/src/features/' },
  ),
  forbid(
    'web-knows-the-client-only',
    'The web application depends on the API, not on the server.',
    { path: '^web/' },
    { path: '^src/' },
  ),
];

// biome-ignore lint/style/noDefaultExport: dependency-cruiser reads the default export
export default {
  forbidden: rules,
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
    },
  },
};
