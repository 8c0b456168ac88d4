// Allowed imports in src/, checked by `npm run boundaries`. CONTRIBUTING.md explains the layers.

const http = '^src/http/';
const features = '^src/features/';
const otherSlice = { path: '^src/features/([^/]+)/' };

/** Files of a slice that may use HTTP. All others contain rules or SQL. */
const httpSide = '-(routes|router|schemas|responses|cookie)\\.ts$';

/** Files that may use SQL. */
const sqlSide = '-(repository|read-model|sql)\\.ts$|/(study-days|identity)\\.ts$';

function forbid(name, comment, from, to) {
  return { name, comment, severity: 'error', from, to };
}

/** Files under `path` import only `allowed` files of src/. */
function layer(path, allowed, comment) {
  return forbid(`layer-${path}`, comment, { path: `^src/${path}` }, { path: '^src/', pathNot: `^src/(${allowed})` });
}

const rules = [
  forbid(
    'no-cycles',
    'A cycle of imports has no order of initialization.',
    {},
    { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
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

  layer('messages/', 'messages/|lib/project-root\\.ts$', 'Messages do not depend on the application.'),
  layer('lib/', 'lib/|errors\\.ts$', 'Libraries do not depend on features.'),
  layer('errors\\.ts$', 'error-codes\\.ts$|lib/|messages/', 'Errors do not depend on a layer.'),
  layer('embedded-postgres/', 'embedded-postgres/|lib/', 'It could be a package of its own.'),
  layer('db/', 'db/|lib/|errors\\.ts$', 'Database access does not depend on features or HTTP.'),
  layer('list-cache/', 'list-cache/|db/|http/input', 'Caching does not depend on features.'),

  forbid(
    'http-knows-callers-only',
    'http/ depends on the types of the caller, and on the store for Idempotency-Keys.',
    { path: http },
    { path: features, dependencyTypesNot: ['type-only'] },
  ),
  forbid(
    'http-knows-no-process',
    'http/ is started by boot/.',
    { path: http },
    { path: '^src/(boot|cli|server|app|composition)' },
  ),
  forbid(
    'features-know-no-process',
    'A feature is composed by composition/ and started by boot/ or cli/.',
    { path: features },
    { path: '^src/(boot|cli|server|app|composition)' },
  ),
  forbid(
    'boot-knows-no-command',
    'Commands use startup steps, not the reverse.',
    { path: '^src/(boot|app|composition|store)' },
    { path: '^src/cli/' },
  ),

  forbid(
    'slice-private',
    "Another slice's tables are reached through its repository on the store or its service.",
    otherSlice,
    { path: '^src/features/.*-(repository|read-model)\\.ts$', pathNot: '^src/features/$1/' },
  ),
  forbid('slice-routes', "Another slice's operations are mounted by composition/.", otherSlice, {
    path: '^src/features/.*-(routes|router)\\.ts$',
    pathNot: '^src/features/$1/',
  }),
  forbid(
    'rules-know-no-http',
    'Services, rules, repositories and read models do not depend on HTTP.',
    { path: features, pathNot: httpSide },
    { path: http, pathNot: '^src/http/(fields|input|idempotency-repository)\\.ts$' },
  ),
  forbid(
    'rules-know-no-routes',
    'Routes call services, and services call repositories.',
    { path: features, pathNot: '-(routes|router)\\.ts$' },
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
    { path: '^src/(db|http|store)|-(repository|read-model|service)\\.ts$', dependencyTypesNot: ['type-only'] },
  ),
  forbid(
    'sql-in-repositories',
    'SQL is in repositories and read models.',
    { path: '^src/', pathNot: `^src/(db|list-cache)/|${sqlSide}|/event-writer\\.ts$` },
    { path: '^src/db/sql/sql\\.ts$' },
  ),

  forbid(
    'express-in-http',
    'Only http/ and app.ts depend on Express; features define operations.',
    { path: '^src/', pathNot: '^src/(http/|app\\.ts)|/image-router\\.ts$' },
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
