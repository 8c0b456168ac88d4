/** What the API reference says that belongs to no single operation. */

export const introduction = `Students keep projects with a target of hours and record their study; administrators make accounts, assign projects and answer contact requests.

**Signing in.** Accounts are made by administrators. \`POST /api/auth/login\` gives a token for the header \`Authorization: Bearer …\`, valid for 15 minutes, and a refresh token for the next one.

**Answers.** A success is \`{success: true, message, data}\`, a failure \`{success: false, message, error: {code, message, details}}\`. The contact side (\`/api/contact/*\` and \`/api/admin/contact-requests*\`) answers a failure as \`{success: false, message, code, errors: [{field, msg}]}\`. Go by the code: messages are for people, in English, or in Chinese with \`Accept-Language: zh\`.

**Input.** Unknown fields are ignored; JSON types are strict. Text is trimmed and counted in characters. Moments carry an offset; answers give them in UTC with milliseconds.

**Creating once.** Every POST that creates takes an \`Idempotency-Key\`: repeated with the same key and body within 24 hours, also at the same moment, it answers the same and creates nothing more.

**Changing what you saw.** Reads carry an \`ETag\`. Sent as \`If-None-Match\` it saves the answer (304); sent as \`If-Match\` with a change of a project or record it keeps you from overwriting somebody else's (412).
`;

/** In the order a reader needs them. */
export const tags = [
  { name: 'Sign-in', description: 'Tokens, and the account of the caller.' },
  { name: 'Projects', description: 'Study projects: create, read, list, update, delete and restore.' },
  { name: 'Records', description: 'Study records and the timer.' },
  { name: 'Statistics', description: 'Figures of projects and people, and achievements.' },
  { name: 'Assignments', description: 'Who a project is assigned to.' },
  { name: 'Users', description: 'Accounts, made and kept by administrators.' },
  { name: 'Contact', description: 'The public contact form.' },
  { name: 'Contact inbox', description: 'Contact requests, for administrators.' },
  { name: 'Operation', description: 'Health and figures of the service, and what administrators changed.' },
];

const text = (description: string, example: string) => ({ description, schema: { type: 'string' as const }, example });

export const headers = {
  'X-Request-Id': text('Names the request in the log.', '3f1c9a52-8d0e-4f0b-9d53-0d5a8c1b7e64'),
  ETag: text('The state of what was read, for `If-None-Match` and `If-Match`.', '"12.7en"'),
  Location: text('The path of what was created.', '/api/projects/42'),
  'Idempotent-Replayed': text('`true` when this is the kept answer to an earlier request with the same key.', 'true'),
  'WWW-Authenticate': text('How to sign in.', 'Bearer'),
  'Retry-After': text('Seconds to wait before the next try.', '60'),
};
