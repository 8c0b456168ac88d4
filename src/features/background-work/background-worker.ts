import type { Clock } from '../../lib/clock.ts';
import type { Job } from '../../lib/jobs.ts';
import type { Logger } from '../../lib/log/logger.ts';
import type { Encryption } from '../../lib/secrets/encryption.ts';
import type { Store, TransactionStore } from '../../store.ts';
import type { BackgroundJob } from './background-job-repository.ts';
import type { JobKind, Outcome } from './job-kind.ts';

export type BackgroundWorkOptions = { store: Store; clock: Clock; logger: Logger };

/** `failed`: the job will be retried. */
type RunResult = 'done' | 'failed';
export type EnqueueOptions = { queue?: string; orderingKey?: string };

/** Transactions store jobs of one kind; they run after the commit. */
export function createJobQueue<Payload extends object>(
  kind: JobKind<Payload>,
  encryption: Encryption,
  { store, clock, logger }: BackgroundWorkOptions,
) {
  const jobs = store.backgroundJobs;
  const later = (milliseconds: number) => new Date(clock().getTime() + milliseconds);

  /** Undefined if it is unknown to this version, or encrypted under a secret that is no longer configured. */
  function read({ payload }: BackgroundJob): Payload | undefined {
    if (typeof payload !== 'string') return kind.payload.safeParse(payload).data;
    const text = encryption.decrypt(payload);
    return text === undefined ? undefined : kind.payload.safeParse(JSON.parse(text)).data;
  }

  async function complete(job: BackgroundJob, settle?: (tx: TransactionStore) => Promise<unknown>): Promise<void> {
    await store.transaction(async (tx) => {
      if (await tx.backgroundJobs.complete(job)) await settle?.(tx);
      else logger.warn(logFields(job), 'background job outlived its lease; outcome ignored');
    });
  }

  async function retry(payload: Payload, job: BackgroundJob, error: unknown): Promise<'failed'> {
    const code = codeOf(error);
    logger.warn({ ...logFields(job), code, failures: job.failures + 1 }, 'background job failed; retrying');
    await store.transaction(async (tx) => {
      const isCurrent = await tx.backgroundJobs.retry(job, later(kind.retryAfter(job.failures + 1)), code, clock());
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
    let outcome: Outcome;
    try {
      outcome = await kind.run(payload, job);
    } catch (error) {
      return retry(payload, job, error);
    }
    if ('postponedUntil' in outcome) await jobs.postpone(job, outcome.postponedUntil);
    else await complete(job, outcome.settle);
    return 'done';
  }

  /** Runs the oldest due job of a queue; undefined if there is none. */
  async function runNext(queue = ''): Promise<RunResult | undefined> {
    const job = await jobs.claimNext({ kind: kind.kind, queue, now: clock(), leaseEnd: later(kind.lease) });
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
  const newJob = (payload: Payload, { queue, orderingKey }: EnqueueOptions, created_at: Date) => ({
    kind: kind.kind,
    ...(queue !== undefined && { queue }),
    ...(orderingKey !== undefined && { ordering_key: orderingKey }),
    payload: kind.encrypted ? encryption.encrypt(JSON.stringify(payload)) : payload,
    created_at,
  });

  return {
    job,
    runDue,
    runNext,
    enqueue: (tx: TransactionStore, payload: Payload, options: EnqueueOptions = {}, createdAt = clock()) =>
      tx.backgroundJobs.insert(newJob(payload, options, createdAt)),
    async enqueueAll(tx: TransactionStore, payloads: readonly Payload[], options: EnqueueOptions): Promise<void> {
      const now = clock();
      await tx.backgroundJobs.insertAll(payloads.map((payload) => newJob(payload, options, now)));
    },
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
