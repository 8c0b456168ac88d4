import { randomUUID } from 'node:crypto';
import { administrator, type Fixtures } from './prepare.ts';

export type Request = { caller: number; path: string; body?: object; headers?: Record<string, string> };

/** A measured operation. Requests with a body are POST. `n` is the number of the request. */
export type Operation = {
  name: string;
  request: (n: number, fixtures: Fixtures) => Request;
  /** The ratio of the service's rate to the minimal floor's that is to be reached. */
  target: number;
};

let recordCount = 0;

/** A one-second record that overlaps no other: before all loaded records, and never the same twice. */
function nextRecord() {
  recordCount += 1;
  const start = Date.UTC(2001, 0, 1) + (Number(process.hrtime.bigint() / 1000n) % 1e11) + recordCount * 2000;
  return { started_at: new Date(start).toISOString(), duration_seconds: 1 };
}

const numbers = (length: number, at: (k: number) => number) => Array.from({ length }, (_, k) => at(k));
const withKey =
  (request: Operation['request']): Operation['request'] =>
  (n, fixtures) => ({ ...request(n, fixtures), headers: { 'idempotency-key': randomUUID() } });

function createProject(n: number, { owned }: Fixtures): Request {
  return { caller: owned(n).user_id, path: '/api/projects', body: { name: `Project ${n}` } };
}

function recordSession(n: number, { owned }: Fixtures): Request {
  const { user_id, project_id } = owned(n);
  return { caller: user_id, path: `/api/projects/${project_id}/sessions`, body: nextRecord() };
}

function assignBatch(n: number, firstProject: number, firstUser: number): Request {
  const body = {
    project_ids: numbers(100, (k) => firstProject + k),
    assigned_user_ids: numbers(10, (k) => firstUser + k),
  };
  return { caller: administrator(n), path: '/api/projects/batch-assign', body };
}

/** A different page of weeks and zone each time, so that the response is not cached. */
const zones = ['Asia/Shanghai', 'Asia/Tokyo', 'Asia/Seoul', 'Asia/Singapore', 'Asia/Manila', 'Asia/Taipei'];
const uncachedStatistics = (n: number) => `weeks=${53 + (n % 52)}&tz=${zones[Math.floor(n / 52) % zones.length]}`;

const operation = (name: string, target: number, request: Operation['request']): Operation => ({
  name,
  target,
  request,
});

export const operations: readonly Operation[] = [
  operation('create a project', 0.45, createProject),
  operation('create, Idempotency-Key', 0.45, withKey(createProject)),
  operation('record a session', 0.3, recordSession),
  operation('record, Idempotency-Key', 0.28, withKey(recordSession)),
  operation('one project', 0.6, (n) => ({ caller: administrator(n), path: `/api/projects/${3 + (n % 1000)}` })),
  operation('list, uncached', 0.35, (n, { reader }) => ({ caller: reader(n), path: '/api/projects' })),
  // The floor caches lists with this parameter, which the service ignores.
  operation('list, cached', 0.22, (n, { reader }) => ({ caller: reader(n % 16), path: '/api/projects?cached=1' })),
  operation('statistics, 300 records', 0.4, (n) => ({
    caller: administrator(n),
    path: `/api/projects/2/stats?${uncachedStatistics(n)}`,
  })),
  // Half of the users of the same projects are replaced; all users of others; nobody.
  operation('batch replace 100 × 10', 0.8, (n) => assignBatch(n, 500, 700 + ((n * 5) % 90))),
  operation('batch spread 100 × 10', 0.8, (n) => assignBatch(n, 500 + (n % 5) * 100, 700 + ((n * 10) % 90))),
  operation('batch identical 100 × 10', 0.8, (n) => assignBatch(n, 500, 700)),
];

/** The complete HTTP request: method, path, headers, body. */
export function messageOf({ caller, path, body, headers }: Request, { tokens }: Fixtures) {
  return {
    method: body === undefined ? ('GET' as const) : ('POST' as const),
    path,
    headers: { authorization: `Bearer ${tokens.get(caller)}`, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
}
