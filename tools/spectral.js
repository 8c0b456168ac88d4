// The OWASP API Security ruleset for docs/openapi.json, with a reason for each exception. Part of `npm run lint:openapi`.
import owasp from '@stoplight/spectral-owasp-ruleset';

const inputs = ['$.paths[*][*].parameters[*]', '$.paths[*][*].requestBody.content'];
const isType = (type) =>
  `[?(@ && (@.type=="${type}" || (@.type && @.type.indexOf && @.type.indexOf("${type}")>=0)) && @.format!="binary")]`;

/** A rule of the ruleset, restricted to input. */
function ofInputs(name, type) {
  const rule = owasp.rules[`owasp:${name}`];
  return { ...rule, given: inputs.map((path) => `${path}..${isType(type)}`) };
}

const pointer = (path) => `../docs/openapi.json#/paths/${encodeURI(path.replaceAll('/', '~1'))}`;
const publicPaths = [
  '/api/auth/login',
  '/api/auth/refresh',
  '/api/auth/browser/sign-in',
  '/api/auth/browser/refresh',
  '/api/auth/browser/sign-out',
  '/api/auth/browser/single-sign-on',
  '/api/auth/browser/single-sign-on/finish',
  '/api/auth/email/confirm',
  '/api/auth/accept',
  '/api/auth/forgot-password',
  '/api/contact/captcha',
  '/api/contact/submit',
  '/api/setup',
  '/api/mail/unsubscribe',
  '/api/meta',
  '/api/calendar.ics',
  '/api/reports/shared',
  '/achievements/{file}',
  '/healthz',
  '/readyz',
  '/metrics',
];

// biome-ignore lint/style/noDefaultExport: Spectral reads the default export
export default {
  extends: [owasp],
  rules: {
    // Bounds protect the service from input. Responses are bounded by what is stored.
    'owasp:api4:2023-string-limit': ofInputs('api4:2023-string-limit', 'string'),
    'owasp:api4:2023-array-limit': ofInputs('api4:2023-array-limit', 'array'),
    'owasp:api4:2023-integer-limit': ofInputs('api4:2023-integer-limit', 'integer'),
    // Names, notes and messages are free text.
    'owasp:api4:2023-string-restricted': 'off',
    // Every limited response has the headers; `info` says so once instead of each response, which keeps the document small.
    'owasp:api4:2023-rate-limit': 'off',
    // Existing clients use numeric ids. Permissions are checked for each id.
    'owasp:api1:2023-no-numeric-ids': 'off',
    // The role of the caller is read from the database with each request; it is not in the token.
    'owasp:api5:2023-admin-security-unique': 'off',
    // The statuses of an operation are derived from its access and input, and tests compare every response with them.
    'owasp:api8:2023-define-error-responses-401': 'off',
    'owasp:api8:2023-define-error-validation': 'off',
    // Other origins are allowed by CORS_ORIGINS, which is empty by default.
    'owasp:api8:2023-define-cors-origin': 'off',
    // The document names the server that serves it, and one on the reader's own machine.
    'owasp:api8:2023-no-server-http': 'off',
    'owasp:api9:2023-inventory-access': 'off',
    'owasp:api9:2023-inventory-environment': 'off',
  },
  overrides: [
    {
      // Health checks and metrics are not limited.
      files: ['/healthz', '/readyz', '/metrics'].map(pointer),
      rules: { 'owasp:api4:2023-rate-limit': 'off', 'owasp:api4:2023-rate-limit-responses-429': 'off' },
    },
    {
      // Operations without authentication: sign-in, mailed links, the contact form, limits of forms, calendars with a secret address,
      // and monitoring.
      files: publicPaths.map(pointer),
      rules: { 'owasp:api2:2023-write-restricted': 'off', 'owasp:api2:2023-read-restricted': 'off' },
    },
    {
      // Mail programs unsubscribe by a POST to a URL (RFC 8058). The token stops one kind of mail and gives no other right.
      files: [pointer('/api/mail/unsubscribe')],
      rules: { 'owasp:api2:2023-no-credentials-in-url': 'off' },
    },
    {
      // Calendar programs support a URL only. It gives read access to one user's records, is not logged, and can be revoked.
      files: [pointer('/api/calendar.ics')],
      rules: { 'owasp:api2:2023-no-credentials-in-url': 'off' },
    },
  ],
};
