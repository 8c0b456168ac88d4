import { setTimeout } from 'node:timers/promises';
import type { Client, Message } from './http.ts';
import type { Person, World } from './people.ts';

type Kind = 'list' | 'project' | 'statistics' | 'record' | 'sign-in';
type Sample = { kind: Kind; status: number | string; milliseconds: number };

/** Latencies of ordinary users in milliseconds; `p99ByKind` shows which requests became slow. */
export type LoadResult = {
  requests: number;
  p50: number;
  p99: number;
  max: number;
  p99ByKind: Record<string, number>;
  serverErrors: number;
  unexpected: Record<string, number>;
};

const thinkMilliseconds = 100;

/** The requests of a user, repeated: mostly page loads, some records, rarely a sign-in. */
const cycle: readonly Kind[] = [
  ...(['list', 'project', 'statistics', 'record', 'list'] as const),
  ...(['project', 'list', 'statistics', 'record', 'project'] as const),
  ...(['list', 'project', 'statistics', 'record', 'list'] as const),
  ...(['project', 'list', 'statistics', 'record', 'sign-in'] as const),
];

let seconds = 0;

function messageOf(kind: Kind, person: Person, world: World, n: number): Message {
  const project = n % 2 === 0 ? world.shared : person.project;
  if (kind === 'list') return { path: '/api/projects' };
  if (kind === 'project') return { path: `/api/projects/${project}` };
  if (kind === 'statistics') return { path: `/api/projects/${project}/stats` };
  if (kind === 'sign-in') {
    const { username, password } = person;
    return { method: 'POST', path: '/api/auth/login', body: { username, password } };
  }
  seconds += 2; // no two records at the same time
  const started_at = new Date(Date.UTC(2020, 0, 1) + seconds * 1000).toISOString();
  return { method: 'POST', path: `/api/projects/${project}/sessions`, body: { started_at, duration_seconds: 1 } };
}

const expected: Record<Kind, number> = { list: 200, project: 200, statistics: 200, record: 201, 'sign-in': 200 };

/**
 * Runs one client per person for `duration` seconds, and waits for requests in progress at the end. Requests that a client
 * could not send while a slow one was in progress count with the latency they would have had (coordinated omission).
 * Otherwise a stall of several seconds would appear only in one sample per client.
 */
export async function runLoad(client: Client, world: World, people: readonly Person[], duration: number) {
  const samples: Sample[] = [];
  const end = performance.now() + duration * 1000;
  const one = async (person: Person, index: number) => {
    await setTimeout((index * thinkMilliseconds) / people.length);
    for (let n = index; performance.now() < end; n += 1) {
      const kind = cycle[n % cycle.length] ?? 'list';
      const started = performance.now();
      const { status } = await client.send(person, messageOf(kind, person, world, n));
      samples.push({ kind, status, milliseconds: performance.now() - started });
      await setTimeout(thinkMilliseconds);
    }
  };
  await Promise.all(people.map(one));
  return summarise(samples);
}

function summarise(samples: readonly Sample[]): LoadResult {
  const unexpected: Record<string, number> = {};
  for (const { kind, status } of samples)
    if (status !== expected[kind]) unexpected[status] = (unexpected[status] ?? 0) + 1;
  const serverErrors = samples.filter(({ status }) => typeof status === 'number' && status >= 500).length;
  const all = withUnsent(samples);
  const kinds = [...new Set(samples.map(({ kind }) => kind))];
  return {
    requests: samples.length,
    p50: percentile(all, 0.5),
    p99: percentile(all, 0.99),
    max: percentile(all, 1),
    p99ByKind: Object.fromEntries(
      kinds.map((kind) => [kind, percentile(withUnsent(samples.filter((sample) => sample.kind === kind)), 0.99)]),
    ),
    serverErrors,
    unexpected,
  };
}

/** Latencies of the requests, and of those not sent because their client was waiting. */
function withUnsent(samples: readonly Sample[]): number[] {
  const times = samples.flatMap(({ milliseconds }) => {
    const unsent = Math.floor(milliseconds / (2 * thinkMilliseconds));
    return Array.from({ length: unsent + 1 }, (_, k) => milliseconds - k * 2 * thinkMilliseconds);
  });
  return times.sort((a, b) => a - b);
}

const percentile = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
