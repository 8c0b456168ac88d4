import { captchaAnswer, type Supplies } from './prepare.ts';

/** What is measured: a request of the service, and the same of the floor, with the caller who sends it. */
export type Measured = {
  name: string;
  method: 'GET' | 'POST';
  /** Given the number of the request, so that no answer can come from memory where it should not. */
  path: (n: number, supplies: Supplies) => string;
  body?: (n: number, supplies: Supplies) => object | Buffer;
  headers?: (n: number, supplies: Supplies) => Record<string, string>;
  /** User ids for the service and for the floor, apart where they write; `owner` is the owner of the project that is read. */
  callers: readonly [service: number, floor: number] | 'owner';
  /** More connections than these would only measure the queue. */
  connections?: number;
  /** At least so long: one request takes more than the usual time. */
  seconds?: number;
  /** Requests a second divided by those of the floor of the same statements, to be reached. */
  target?: number;
  /** The same for the floor of minimal statements; null: no target, undefined: it does not have the operation. */
  minimal?: number | null;
};

const administrator = 21; // made so by data.ts
const reader = 5000;
const asAdministrator = [administrator, administrator] as const;
let moment = 0;

/** A second of study that nobody has recorded yet: before all records of the data, and never twice. */
function nextRecord() {
  moment += 1;
  const start = Date.UTC(2001, 0, 1) + (Number(process.hrtime.bigint() / 1000n) % 1e11) + moment * 2000;
  return { started_at: new Date(start).toISOString(), duration_seconds: 1 };
}

const list = (query: (n: number) => string) => (n: number) => `/api/projects?${query(n)}`;
/**
 * The same page by another text, of which there are twenty times as many as entries of a reader in the cache: each is gone
 * from there when it comes again. A parameter that the operation does not have would not count.
 */
function unseen(n: number, page = 1): string {
  const zeros = Math.floor(n / 2) % 1024;
  return `page=${'0'.repeat(zeros % 32)}${page}&limit=${'0'.repeat(zeros / 32)}10`;
}
/** The same for statistics, whose weeks all lie after the first record. */
const unseenWeeks = (n: number): string => `weeks=${'0'.repeat(Math.floor(n / 2) % 3)}${53 + (Math.floor(n / 2) % 52)}`;
const numbers = (length: number, at: (k: number) => number) => Array.from({ length }, (_, k) => at(k));
const anyAddress = () => `10.${numbers(3, () => Math.floor(Math.random() * 256)).join('.')}`;

const reads: readonly Measured[] = [
  { name: 'list, uncached', method: 'GET', path: list(unseen), callers: [reader, reader], target: 0.5, minimal: 0.6 },
  {
    name: 'list, cached',
    method: 'GET',
    path: list(() => 'cached=1'),
    callers: [reader, reader],
    target: 0.38,
    minimal: 0.4,
  },
  { name: 'list of an administrator', method: 'GET', path: list(unseen), callers: asAdministrator },
  { name: 'its page 1,000', method: 'GET', path: list((n) => unseen(n, 1000)), callers: asAdministrator },
  { name: 'its filter', method: 'GET', path: list((n) => `status=paused&${unseen(n)}`), callers: asAdministrator },
  {
    name: 'its search, 2 Chinese characters',
    method: 'GET',
    path: list((n) => `search=${encodeURIComponent('代数')}&${unseen(n)}`),
    callers: asAdministrator,
  },
  {
    name: 'its search, 6 letters',
    method: 'GET',
    path: list((n) => `search=Organi&${unseen(n)}`),
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
    path: (n) => `/api/projects/2/stats?${unseenWeeks(n)}`,
    callers: asAdministrator,
    target: 0.45,
    minimal: 0.7,
  },
  { name: 'statistics, cached', method: 'GET', path: () => '/api/projects/2/stats', callers: asAdministrator },
  {
    name: 'statistics, 30,000 records',
    method: 'GET',
    path: (n) => `/api/projects/1/stats?${unseenWeeks(n)}`,
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
    // Each from an address and an e-mail of its own, or the limits would be measured.
    headers: () => ({ 'x-forwarded-for': anyAddress() }),
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
