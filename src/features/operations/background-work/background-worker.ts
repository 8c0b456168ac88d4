import type { Clock } from '../../../lib/clock.ts';
import type { Job } from '../../../lib/jobs.ts';
import type { Logger } from '../../../lib/log/logger.ts';
import type { Encryption } from '../../../lib/secrets/encryption.ts';
import type { Db, Tx } from '../../../transactions/transactions.ts';
import type { BackgroundJob } from './background-job-repository.ts';
import * as backgroundJobs from './background-job-repository.ts';
import type { JobKind, Outcome } from './job-kind.ts';

export type BackgroundWorkOptions = { store: Db; clock: Clock; logger: Logger };

/** `failed`: the job will be retried. */
type RunResult = 'done' | 'failed';
/** `sender`: the user who caused the jobs, whose turns alternate with those of others. */
export type EnqueueOptions = { queue?: string; orderingKey?: string; sender?: number | undefined };

/** Transactions store jobs of one kind; they run after the commit. */
export function createJobQueue<Payload extends object>(
  kind: JobKind<Payload>,
  encryption: Encryption,
  { store, clock, logger }: BackgroundWorkOptions,
) {
  const later = (milliseconds: number) => new Date(clock().getTime() + milliseconds);

  /** Undefined if it is unknown to this version, or encrypted under a secret that is no longer configured. */
  function read({ payload }: BackgroundJob): Payload | undefined {
    if (typeof payload !== 'string') return kind.payload.safeParse(payload).data;
    const text = encryption.decrypt(payload);
    return text === undefined ? undefined : kind.payload.safeParse(JSON.parse(text)).data;
  }

  async function complete(job: BackgroundJob, settle?: (tx: Tx) => Promise<unknown>): Promise<void> {
    await store.asService(async (tx) => {
      if (await backgroundJobs.complete(tx, job)) await settle?.(tx);
      else logger.warn(logFields(job), 'background job outlived its lease; outcome ignored');
    });
  }

  const withRest =
    ({ settle, rest }: Extract<Outcome<Payload>, { done: true }>, { sender }: BackgroundJob) =>
    async (tx: Tx) => {
      await settle?.(tx);
      if (rest !== undefined) await enqueue(tx, rest, { sender: sender ?? undefined });
    };

  async function retry(payload: Payload, job: BackgroundJob, error: unknown): Promise<'failed'> {
    const code = codeOf(error);
    logger.warn({ ...logFields(job), code, failures: job.failures + 1 }, 'background job failed; retrying');
    await store.asService(async (tx) => {
      const isCurrent = await backgroundJobs.retry(tx, job, later(kind.retryAfter(job.failures + 1)), code, clock());
      if (isCurrent) await kind.failed?.(tx, payload, job, { error, code, expired: false });
    });
    return 'failed';
  }

  async function drop(payload: Payload | undefined, job: BackgroundJob, code: string): Promise<'done'> {
    logger.warn({ ...logFields(job), failures: job.failures }, `background job deleted: ${code}`);
    await complete(job, async (tx) => {
      if (payload !== undefined) await kind.failed?.(tx, payload, job, { error: undefined, code, expired: true });
    });
    return 'done';
  }

  async function attempt(job: BackgroundJob): Promise<RunResult> {
    const payload = read(job);
    if (clock().getTime() - Date.parse(job.created_at) >= kind.maximumAge) return drop(payload, job, 'too old');
    if (payload === undefined) return drop(payload, job, 'its payload cannot be read');
    let outcome: Outcome<Payload>;
    try {
      outcome = await kind.run(payload, job);
    } catch (error) {
      return retry(payload, job, error);
    }
    if ('postponedUntil' in outcome) await backgroundJobs.postpone(store, job, outcome.postponedUntil);
    else await complete(job, withRest(outcome, job));
    return 'done';
  }

  /** Runs the oldest due job of a queue; undefined if there is none. */
  async function runNext(queue = ''): Promise<RunResult | undefined> {
    const job = await backgroundJobs.claimNext(store, {
      kind: kind.kind,
      queue,
      now: clock(),
      leaseEnd: later(kind.lease),
    });
    return job && attempt(job);
  }

  async function runMostUrgent(): Promise<RunResult | undefined> {
    for (const queue of kind.queues ?? ['']) {
      const result = await runNext(queue);
      if (result !== undefined) return result;
    }
    return undefined;
  }

  async function runDue(): Promise<void> {
    for (let ran = 0; ran < kind.perRun; ran += 1) if ((await runMostUrgent()) === undefined) return;
  }

  const job: Job = { name: kind.name, everySeconds: kind.everySeconds, run: () => runDue() };
  const newJob = ({ queue, orderingKey, sender }: EnqueueOptions, created_at: Date) => ({
    kind: kind.kind,
    ...(queue !== undefined && { queue }),
    ...(orderingKey !== undefined && { ordering_key: orderingKey }),
    sender,
    created_at,
  });
  const stored = (payload: Payload) => (kind.encrypted ? encryption.encrypt(JSON.stringify(payload)) : payload);

  const enqueueAll = (tx: Tx, payloads: readonly Payload[], options: EnqueueOptions, createdAt = clock()) =>
    backgroundJobs.insertAll(tx, newJob(options, createdAt), payloads.map(stored));

  async function enqueue(tx: Tx, payload: Payload, options: EnqueueOptions = {}, createdAt = clock()): Promise<void> {
    const { merges: list } = kind;
    const { sender } = options;
    if (list === undefined || sender === undefined) return enqueueAll(tx, [payload], options, createdAt);
    const job = { ...newJob(options, createdAt), payload };
    await backgroundJobs.insertMerged(tx, job, { key: `user:${sender}`, list });
  }

  return {
    job,
    runDue,
    runNext,
    enqueue,
    enqueueAll,
  };
}

export type JobQueue<Payload extends object> = ReturnType<typeof createJobQueue<Payload>>;

const logFields = ({ id, kind }: BackgroundJob) => ({ kind, background_job: id });

/** Only codes are logged: error messages may quote the payload. */
function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^\w{1,60}$/.test(code) ? code : 'unknown';
}

export type Share = { queue: string; concurrency: number };

/** Runs the jobs of several queues concurrently: a slow queue does not delay the others. */
export function createQueueWorkers({ runNext }: Pick<JobQueue<object>, 'runNext'>) {
  const workers = new Map<Promise<void>, string>();
  const errors: unknown[] = [];
  let isStopping = false;

  async function serve(queue: string): Promise<void> {
    while (!isStopping && (await runNext(queue)) === 'done');
  }

  function open(queue: string): void {
    const worker = serve(queue)
      .catch((error: unknown) => void errors.push(error))
      .finally(() => workers.delete(worker));
    workers.set(worker, queue);
  }

  return {
    /** Starts the due jobs without waiting for them. Rethrows an error of earlier ones, for the log and the metrics. */
    start(shares: readonly Share[]): void {
      isStopping = false;
      for (const { queue, concurrency } of shares) {
        const running = [...workers.values()].filter((served) => served === queue).length;
        for (let worker = running; worker < concurrency; worker += 1) open(queue);
      }
      const [error] = errors.splice(0);
      if (error !== undefined) throw error;
    },

    /** Starts no more jobs and waits for the running ones. */
    async stop(): Promise<void> {
      isStopping = true;
      await Promise.all(workers.keys());
    },
  };
}
