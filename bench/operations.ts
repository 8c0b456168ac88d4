import { captchaAnswer, type Fixtures } from './prepare.ts';

/** A measured operation: its request, and the callers that send it to the service and to the floor. */
export type Measured = {
  name: string;
  method: 'GET' | 'POST';
  /** Takes the number of the request, so that uncached requests can differ. */
  path: (n: number, fixtures: Fixtures) => string;
  body?: (n: number, fixtures: Fixtures) => object | Buffer;
  headers?: (n: number, fixtures: Fixtures) => Record<string, string>;
  /** User ids for the service and the floor, different if they write; `owner`: the owner of the project in the request. */
  callers: readonly [service: number, floor: number] | 'owner';
  /** The maximum; more connections would only measure the queue. */
  connections?: number;
  /** The minimum duration, for slow requests. */
  seconds?: number;
  /** Target ratio of the throughput to that of the floor with the same statements. */
  target?: number;
  /** Target for the floor with minimal statements; null: no target, undefined: the floor lacks the operation. */
  minimal?: number | null;
};

const administrator = 21; // created by data.ts
const reader = 5000;
const asAdministrator = [administrator, administrator] as const;
let recordCount = 0;

/** A one-second record that overlaps no other: before all loaded records, and never the same twice. */
function nextRecord() {
  recordCount += 1;
  const start = Date.UTC(2001, 0, 1) + (Number(process.hrtime.bigint() / 1000n) % 1e11) + recordCount * 2000;
  return { started_at: new Date(start).toISOString(), duration_seconds: 1 };
}

const list = (query: (n: number) => string) => (n: number) => `/api/projects?${query(n)}`;
/**
 * The same page with a different query string. There are twenty times as many variants as a reader has cache entries, so
 * each is evicted before it is repeated. Unknown parameters are not part of the cache key.
 */
function uncachedPage(n: number, page = 1): string {
  const zeros = Math.floor(n / 2) % 1024;
  return `page=${'0'.repeat(zeros % 32)}${page}&limit=${'0'.repeat(zeros / 32)}10`;
}
/** The same for statistics: all of these numbers of weeks begin after the first record. */
const uncachedWeeks = (n: number): string =>
  `weeks=${'0'.repeat(Math.floor(n / 2) % 3)}${53 + (Math.floor(n / 2) % 52)}`;
const numbers = (length: number, at: (k: number) => number) => Array.from({ length }, (_, k) => at(k));
const randomAddress = () => `10.${numbers(3, () => Math.floor(Math.random() * 256)).join('.')}`;

const reads: readonly Measured[] = [
  {
    name: 'list, uncached',
    method: 'GET',
    path: list(uncachedPage),
    callers: [reader, reader],
    target: 0.5,
    minimal: 0.6,
  },
  {
    name: 'list, cached',
    method: 'GET',
    path: list(() => 'cached=1'),
    callers: [reader, reader],
    target: 0.38,
    minimal: 0.4,
  },
  { name: 'list of an administrator', method: 'GET', path: list(uncachedPage), callers: asAdministrator },
  { name: 'its page 1,000', method: 'GET', path: list((n) => uncachedPage(n, 1000)), callers: asAdministrator },
  {
    name: 'its filter',
    method: 'GET',
    path: list((n) => `status=paused&${uncachedPage(n)}`),
    callers: asAdministrator,
  },
  {
    name: 'its search, 2 Chinese characters',
    method: 'GET',
    path: list((n) => `search=${encodeURIComponent('代数')}&${uncachedPage(n)}`),
    callers: asAdministrator,
  },
  {
    name: 'its search, 6 letters',
    method: 'GET',
    path: list((n) => `search=Organi&${uncachedPage(n)}`),
    callers: asAdministrator,
  },
  {
    name: 'one project',
    method: 'GET',
    path: (n) => `/api/projects/${3 + (n % 1000)}`,
    callers: asAdministrator,
    target: 0.4,
    minimal: 0.6,
  },
  {
    name: 'statistics, 300 records',
    method: 'GET',
    path: (n) => `/api/projects/2/stats?${uncachedWeeks(n)}`,
    callers: asAdministrator,
    target: 0.45,
    minimal: 0.7,
  },
  { name: 'statistics, cached', method: 'GET', path: () => '/api/projects/2/stats', callers: asAdministrator },
  {
    name: 'statistics, 30,000 records',
    method: 'GET',
    path: (n) => `/api/projects/1/stats?${uncachedWeeks(n)}`,
    callers: asAdministrator,
    minimal: null,
  },
];

const writes: readonly Measured[] = [
  {
    name: 'create a project',
    method: 'POST',
    path: () => '/api/projects',
    body: (n) => ({ name: `Project ${n}` }),
    callers: 'owner',
    target: 0.6,
    minimal: 0.65,
  },
  {
    name: 'create, all by one user',
    method: 'POST',
    path: () => '/api/projects',
    body: (n) => ({ name: `Project ${n}` }),
    callers: [6000, 6001],
  },
  {
    name: 'record a session',
    method: 'POST',
    path: (n, { owned }) => `/api/projects/${owned(n).project_id}/sessions`,
    body: nextRecord,
    callers: 'owner',
    target: 0.5,
    minimal: 0.6,
  },
  {
    name: 'batch replace 100 × 10',
    method: 'POST',
    path: () => '/api/projects/batch-assign',
    body: (n) => ({
      project_ids: numbers(100, (k) => 5000 + k),
      assigned_user_ids: numbers(10, (k) => 7000 + ((n * 5 + k) % 100)),
    }),
    callers: asAdministrator,
    target: 0.8,
    minimal: 0.8,
  },
  {
    name: 'batch replace 1,000 × 100',
    method: 'POST',
    connections: 1,
    seconds: 8,
    path: () => '/api/projects/batch-assign',
    body: (n) => ({
      project_ids: numbers(1000, (k) => 20_000 + k),
      assigned_user_ids: numbers(100, (k) => 8000 + ((n * 50 + k) % 1000)),
    }),
    callers: asAdministrator,
    minimal: null,
  },
  {
    name: 'sign-in',
    method: 'POST',
    path: () => '/api/auth/login',
    body: (n, { password }) => ({ username: `person${100 + (n % 64)}`, password }),
    callers: asAdministrator,
  },
  {
    name: 'contact request',
    method: 'POST',
    path: () => '/api/contact/submit',
    // Each from a different address and e-mail, or the limits would reject them.
    headers: () => ({ 'x-forwarded-for': randomAddress() }),
    body: (_, { nextCaptcha }) => {
      const captcha_id = nextCaptcha();
      const email = `${captcha_id.replaceAll(/[-_]/g, 'x')}@example.org`;
      const message = 'I would like an account for our study group. 我想注册一个账号。';
      return { name: '林小雨', email, subject: 'other', message, captcha: captchaAnswer, captcha_id };
    },
    callers: asAdministrator,
  },
  {
    name: 'image of 1 MB',
    method: 'POST',
    path: (n) => `/api/projects/${3 + (n % 1000)}/image`,
    headers: (_, { formType }) => ({ 'content-type': formType }),
    body: (_, { form }) => form,
    callers: asAdministrator,
  },
];

export const operations: readonly Measured[] = [...reads, ...writes];
