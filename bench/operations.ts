/** What is measured: a request of the service, and the same of the floor, with the caller who sends it. */
export type Measured = {
  name: string;
  method: 'GET' | 'POST';
  /** Given the number of the request, so that no answer can come from memory where it should not. */
  path: (n: number) => string;
  body?: (n: number, caller: number) => object;
  /** User ids for the service and for the floor: apart where they write. */
  callers: readonly [service: number, floor: number];
  /** Requests a second divided by the floor's, to be reached. */
  target?: number;
};

const administrator = 21; // made so by data.ts
const reader = 5000;
let moment = 0;

/** A second of study that nobody has recorded yet: before all records of the data, and never twice. */
function nextRecord() {
  moment += 1;
  return {
    started_at: new Date(
      Date.UTC(2001, 0, 1) + (Number(process.hrtime.bigint() / 1000n) % 1e11) + moment * 2000,
    ).toISOString(),
    duration_seconds: 1,
  };
}

const list = (query: (n: number) => string) => (n: number) => `/api/projects?${query(n)}`;
/** A parameter that nobody reads: another entry of the cache for every request. */
const unseen = (n: number) => `x=${n}.${Math.random()}`;

export const operations: readonly Measured[] = [
  { name: 'list, uncached', method: 'GET', path: list(unseen), callers: [reader, reader], target: 0.5 },
  { name: 'list, cached', method: 'GET', path: list(() => 'remembered=1'), callers: [reader, reader], target: 0.38 },
  { name: 'list of an administrator', method: 'GET', path: list(unseen), callers: [administrator, administrator] },
  {
    name: 'its page 1,000',
    method: 'GET',
    path: list((n) => `page=1000&${unseen(n)}`),
    callers: [administrator, administrator],
  },
  {
    name: 'its filter',
    method: 'GET',
    path: list((n) => `status=paused&${unseen(n)}`),
    callers: [administrator, administrator],
  },
  {
    name: 'its search, 2 Chinese characters',
    method: 'GET',
    path: list((n) => `search=${encodeURIComponent('代数')}&${unseen(n)}`),
    callers: [administrator, administrator],
  },
  {
    name: 'its search, 6 letters',
    method: 'GET',
    path: list((n) => `search=Organi&${unseen(n)}`),
    callers: [administrator, administrator],
  },
  {
    name: 'one project',
    method: 'GET',
    path: (n) => `/api/projects/${3 + (n % 1000)}`,
    callers: [administrator, administrator],
    target: 0.4,
  },
  {
    name: 'statistics, 300 records',
    method: 'GET',
    path: () => '/api/projects/2/stats',
    callers: [administrator, administrator],
    target: 0.45,
  },
  {
    name: 'statistics, 30,000 records',
    method: 'GET',
    path: () => '/api/projects/1/stats',
    callers: [administrator, administrator],
  },
  {
    name: 'create a project',
    method: 'POST',
    path: () => '/api/projects',
    body: (n) => ({ name: `Project ${n}` }),
    callers: [6000, 6001],
    target: 0.6,
  },
  {
    name: 'record a session',
    method: 'POST',
    path: () => '/api/projects/3/sessions',
    body: nextRecord,
    callers: [administrator, administrator],
    target: 0.5,
  },
  {
    name: 'batch replace 100 × 10',
    method: 'POST',
    path: () => '/api/projects/batch-assign',
    body: (n) => ({
      project_ids: Array.from({ length: 100 }, (_, k) => 5000 + k),
      assigned_user_ids: Array.from({ length: 10 }, (_, k) => 7000 + ((n * 5 + k) % 100)),
    }),
    callers: [administrator, administrator],
    target: 0.8,
  },
  {
    name: 'batch replace 1,000 × 100',
    method: 'POST',
    path: () => '/api/projects/batch-assign',
    body: (n) => ({
      project_ids: Array.from({ length: 1000 }, (_, k) => 20_000 + k),
      assigned_user_ids: Array.from({ length: 100 }, (_, k) => 8000 + ((n * 50 + k) % 1000)),
    }),
    callers: [administrator, administrator],
  },
];
