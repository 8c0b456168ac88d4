import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import * as backgroundJobs from '../../../../src/features/operations/background-work/background-job-repository.ts';
import { createJobQueue } from '../../../../src/features/operations/background-work/background-worker.ts';
import { exponentialBackoff, type JobKind } from '../../../../src/features/operations/background-work/job-kind.ts';
import { createEncryption } from '../../../../src/lib/secrets/encryption.ts';
import { runJob } from '../../../support/contact.ts';
import { createTestClock, startTestApp, type TestApp, testSecret } from '../../../support/test-app.ts';

const minute = 60_000;
const clock = createTestClock(new Date('2026-02-01T08:00:00.000Z'));
const payload = z.object({ name: z.string() });
type Payload = z.infer<typeof payload>;
let app: TestApp;
beforeEach(async () => {
  app = await startTestApp({ clock });
});
afterEach(() => app.stop());

/** The queue of one simulated process; all share the database. */
function createQueue(run: JobKind<Payload>['run'], given: Partial<JobKind<Payload>> = {}) {
  const kind: JobKind<Payload> = {
    kind: 'mail',
    name: 'test',
    everySeconds: 60,
    payload,
    encrypted: false,
    lease: 5 * minute,
    maximumAge: 60 * minute,
    perRun: 1000,
    retryAfter: exponentialBackoff,
    run,
    ...given,
  };
  const { store, logger } = app.container;
  return createJobQueue(kind, createEncryption([testSecret], 'test'), { store, clock, logger });
}
type Queue = ReturnType<typeof createQueue>;
const enqueue = (queue: Queue, name: string, orderingKey?: string) =>
  app.container.store.asService((tx) => queue.enqueue(tx, { name }, orderingKey === undefined ? {} : { orderingKey }));
const jobs = () =>
  app.query<{ claims: number; failures: number; error_code: string | null }>(
    'SELECT claims, failures, error_code FROM background_jobs ORDER BY id',
  );
const withCode = (code: string) => Object.assign(new Error('failed'), { code });

describe('background jobs', () => {
  test('run once across several processes, and in order for each key', async () => {
    const ran: string[] = [];
    const record: JobKind<Payload>['run'] = async ({ name }) => {
      await app.query('SELECT 1'); // lets the other queues continue
      ran.push(name);
      return { done: true };
    };
    const processes = Array.from({ length: 4 }, () => createQueue(record));
    const [first] = processes;
    if (first === undefined) throw new Error('no queue');
    for (let number = 0; number < 60; number += 1) await enqueue(first, `${number % 3}:${number}`, `key ${number % 3}`);
    // A run ends when all due jobs are claimed by other processes.
    while ((await jobs()).length > 0) await Promise.all(processes.map((queue) => queue.runDue()));
    expect(new Set(ran).size).toBe(60);
    expect(ran).toHaveLength(60);
    for (const key of ['0', '1', '2']) {
      const numbers = ran.filter((name) => name.startsWith(`${key}:`)).map((name) => Number(name.slice(2)));
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    }
  });

  test('a job whose payload this version does not know is deleted', async () => {
    const ran: string[] = [];
    const run: JobKind<Payload>['run'] = async ({ name }) => {
      ran.push(name);
      return { done: true };
    };
    const queue = createQueue(run);
    await enqueue(queue, 'unknown');
    await app.query(`UPDATE background_jobs SET payload = '{"title": "of another version"}'`);
    await enqueue(queue, 'known');
    await queue.runDue();
    expect(ran).toEqual(['known']);
    expect(await jobs()).toEqual([]);
  });

  test('a failed job blocks only jobs with the same key, and is retried with increasing delays', async () => {
    const ran: string[] = [];
    let isDown = true;
    const queue = createQueue(async ({ name }) => {
      if (isDown && name === 'a1') throw withCode('ECONNREFUSED');
      ran.push(name);
      return { done: true };
    });
    await enqueue(queue, 'a1', 'a');
    await enqueue(queue, 'a2', 'a');
    await enqueue(queue, 'b1', 'b');
    await enqueue(queue, 'free');
    await queue.runDue();
    expect(ran).toEqual(['b1', 'free']);
    expect((await jobs())[0]).toEqual({ claims: 1, failures: 1, error_code: 'ECONNREFUSED' });
    for (const wait of [0.5, 1, 2]) {
      clock.advance(wait * minute - 1);
      await queue.runDue();
      clock.advance(1);
      await queue.runDue();
    }
    expect((await jobs()).map(({ failures }) => failures)).toEqual([4, 0]);
    isDown = false;
    clock.advance(4 * minute);
    await queue.runDue();
    expect(ran).toEqual(['b1', 'free', 'a1', 'a2']);
    expect(await jobs()).toEqual([]);
  });

  test('a claim whose lease has expired has no effect, whether the job succeeds or fails', async () => {
    for (const outcome of ['succeeds', 'fails']) {
      let settled = 0;
      const slow = createQueue(async () => {
        clock.advance(6 * minute);
        await other.runDue(); // another process has claimed the job and fails it
        if (outcome === 'fails') throw withCode('ETIMEDOUT');
        return {
          done: true,
          settle: async () => {
            settled += 1;
          },
        };
      });
      const other: Queue = createQueue(async () => {
        throw withCode('ESECOND');
      });
      await enqueue(slow, outcome);
      await slow.runDue();
      expect(settled).toBe(0);
      expect(await jobs()).toEqual([{ claims: 2, failures: 1, error_code: 'ESECOND' }]);
      await app.query('DELETE FROM background_jobs');
    }
  });

  test('the job of a killed process becomes due when its lease expires', async () => {
    const ran: string[] = [];
    const queue = createQueue(async ({ name }) => {
      ran.push(name);
      return { done: true };
    });
    await enqueue(queue, 'a1', 'a');
    await enqueue(queue, 'a2', 'a');
    const [now, leaseEnd] = [clock(), new Date(clock().getTime() + 5 * minute)];
    await backgroundJobs.claimNext(app.container.store, { kind: 'mail', queue: '', now, leaseEnd });
    await queue.runDue();
    clock.advance(5 * minute - 1);
    await queue.runDue();
    expect(ran).toEqual([]);
    clock.advance(1);
    await queue.runDue();
    expect(ran).toEqual(['a1', 'a2']);
  });

  test('are stored when their transaction commits, and deleted at their maximum age', async () => {
    const queue = createQueue(async () => {
      throw withCode('ECONNREFUSED');
    });
    const failing = app.container.store.asService(async (tx) => {
      await queue.enqueue(tx, { name: 'never' });
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(await jobs()).toEqual([]);
    await enqueue(queue, 'old');
    await queue.runDue();
    clock.advance(60 * minute);
    await queue.runDue();
    expect(await jobs()).toEqual([]);
  });

  test('a run takes a bounded number of jobs', async () => {
    const queue = createQueue(async () => ({ done: true }), { perRun: 2 });
    for (const name of ['a', 'b', 'c']) await enqueue(queue, name);
    await queue.runDue();
    expect(await jobs()).toHaveLength(1);
  });

  test('the effect and the completion of a job commit together', async () => {
    const queue = createQueue(async () => ({ done: true, settle: () => Promise.reject(withCode('ESETTLE')) }));
    await enqueue(queue, 'a');
    await expect(queue.runDue()).rejects.toThrow('failed');
    expect(await jobs()).toEqual([{ claims: 1, failures: 0, error_code: null }]);
  });
});

describe('the overview', () => {
  test('counts jobs by kind, with the oldest, the last error and the next attempt, but without payloads', async () => {
    const admin = await app.createUser({ role: 'admin' });
    const queue = createQueue(
      async ({ name }) => {
        if (name === 'secret') throw withCode('ECONNREFUSED');
        return { postponedUntil: new Date(clock().getTime() + minute) };
      },
      { encrypted: true },
    );
    await enqueue(queue, 'secret');
    clock.advance(1000);
    await enqueue(queue, 'postponed');
    await queue.runDue();
    await enqueue(queue, 'waits');
    const [now, leaseEnd] = [clock(), new Date(clock().getTime() + 5 * minute)];
    await enqueue(queue, 'runs');
    await backgroundJobs.claimNext(app.container.store, { kind: 'mail', queue: '', now, leaseEnd });
    const { body } = await app.as(admin).get('/api/admin/background-work').expect(200);
    expect(body.data.kinds[0]).toEqual({
      kind: 'mail',
      queued: 2,
      running: 1,
      failed: 1,
      oldest_at: new Date(clock().getTime() - 1000).toISOString(),
      next_attempt_at: new Date(clock().getTime() + minute / 2).toISOString(),
      last_error_code: 'ECONNREFUSED',
      last_failed_at: clock().toISOString(),
    });
    expect(body.data.kinds[1]).toMatchObject({
      kind: 'contact_mail',
      queued: 0,
      oldest_at: null,
      last_error_code: null,
    });
    expect(JSON.stringify(body)).not.toContain('secret');

    await runJob(app, 'count background jobs');
    const metrics = (await app.anonymous.get('/metrics').expect(200)).text;
    for (const line of ['queued{kind="mail"} 2', 'running{kind="mail"} 1', 'failed{kind="mail"} 1'])
      expect(metrics).toContain(`background_jobs_${line}`);
    expect(metrics).toContain('background_jobs_oldest_seconds{kind="mail"} 1');
    expect(metrics).toContain('mails_unsent 4');
  });
});
