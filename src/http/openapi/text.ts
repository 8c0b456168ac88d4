export const introduction = `Students have projects with a target of hours and record their study; administrators create accounts, assign projects and answer contact requests.

**Signing in.** Accounts are created by administrators. \`POST /api/auth/login\` returns a token for the header \`Authorization: Bearer …\`, valid for \`expires_in\` seconds, and a refresh token for the next one.
Programs use personal access tokens (\`POST /api/me/tokens\`) in the same header: each has scopes and an expiry, and can be revoked separately.

**Responses.** A success is \`{success: true, message, data}\`, an error \`{success: false, message, error: {code, message, details}}\`. The endpoints for contact requests (\`/api/contact/*\` and \`/api/admin/contact-requests*\`) return an error as \`{success: false, message, code, errors: [{field, msg}]}\`. Compare codes: messages are for people, in English, or in Chinese with \`Accept-Language: zh\`. Every response has \`X-Request-Id\`, which names the request in the log.

**Names.** Fields are in snake_case. \`…_id\` is the id of another object, \`…_at\` an instant, \`…_on\`, \`date\` and \`…_date\` a day, \`…_hours\`, \`…_minutes\` and \`…_seconds\` a duration, \`…_count\` a number of objects. Only \`adminNote\` and \`requestId\` of contact requests differ, and \`day_starts_at\`, a time of day. \`PATCH\` does the same as \`PUT\`: both change the given fields only.

**Input.** Unknown fields are ignored; JSON types are strict. Text is trimmed and counted in characters. A query parameter that is given twice is an error; an empty one counts as absent.

**Times.** An instant in a request has an offset (\`2026-02-01T08:00:00+08:00\`); responses have UTC with milliseconds. A day is \`2026-02-01\`, in the time zone of the person it is about. Names of time zones are those of IANA.

**Pages.** Lists take \`page\` (from 1) and \`limit\` (at most 100, larger values mean 100) and return \`pagination\` with \`total\` and \`pages\`. A page after the last is empty.

**Versions.** The paths have no version. Within a major version of \`info.version\` (semantic versioning) nothing is removed or renamed, and no type or meaning changes. Any version may add operations, optional parameters, fields of objects, error codes, and values of the enumerations that say so: ignore what you do not know. A deprecated field works until the next major version; a request that sends one is answered with \`Deprecation\`.

**Creating once.** Operations with an \`Idempotency-Key\` can be repeated: with the same key and body within 24 hours, even concurrently, they create nothing more and return the same response, for a project or a study record as it is now. An import needs no key, because it skips existing records.

**Concurrent changes.** Reads carry an \`ETag\`. Send it as \`If-None-Match\` to get 304 while nothing has changed, or as \`If-Match\` with a change to get 412 instead of overwriting somebody else's change. Items of lists have an \`etag\` for this, too.

**Limits.** \`RateLimit\` and \`RateLimit-Policy\` of every response show what is left of the caller's limit; \`Retry-After\` shows when to retry after a 429 or 503.
`;

export const tags = [
  { name: 'Sign-in', description: 'Tokens, and the account of the caller.' },
  { name: 'Projects', description: 'Study projects: create, read, list, update, delete and restore.' },
  { name: 'Records', description: 'Study records and the timer.' },
  { name: 'Sync', description: 'Synchronization of local copies.' },
  { name: 'Statistics', description: 'Statistics of projects and users, and achievements.' },
  { name: 'Reports', description: 'Reports of students, and links that show one to anyone.' },
  { name: 'Assignments', description: 'Assignments of projects to users.' },
  { name: 'Users', description: 'Accounts, managed by administrators.' },
  { name: 'School year', description: 'Terms, holidays and make-up days, and days off of a person.' },
  { name: 'Groups', description: 'Groups of users, such as classes.' },
  {
    name: 'Webhooks',
    description:
      'Events for other programs. `data` is the object after the change. Each is delivered at least once, and in the order of the changes of each object; docs/webhooks.md describes the guarantees.',
  },
  { name: 'Contact', description: 'The public contact form.' },
  { name: 'Contact inbox', description: 'Contact requests, for administrators.' },
  { name: 'Operation', description: 'Health and metrics of the service, and the audit log.' },
];

const text = (description: string, example: string) => ({ description, schema: { type: 'string' as const }, example });

export const headers = {
  ETag: text('The version of what was read, for `If-None-Match` and `If-Match`.', '"12.7en"'),
  Location: text('The path of what was created, or, with 202, where its state is read.', '/api/projects/42'),
  'Idempotent-Replayed': text(
    '`true` when this is the stored response to an earlier request with the same key.',
    'true',
  ),
  Deprecation: text(
    'Sent if the request has a deprecated field: since when it is deprecated (RFC 9745).',
    '@1795305600',
  ),
  'WWW-Authenticate': text('How to sign in.', 'Bearer'),
  'Retry-After': text('Seconds to wait before a retry.', '60'),
  RateLimit: text('What is left of the limit, and the seconds until it is reset.', '"1200-in-1min"; r=1199; t=60'),
  'RateLimit-Policy': text(
    'The limit, its window in seconds, and a name for the caller.',
    '"1200-in-1min"; q=1200; w=60; pk=:NWQ0Yw==:',
  ),
};

export const headerOf = (name: keyof typeof headers) => ({ [name]: { $ref: `#/components/headers/${name}` } });
