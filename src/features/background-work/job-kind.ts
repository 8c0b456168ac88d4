import type { TransactionStore } from '../../store.ts';
import type { BackgroundJob } from './background-job-repository.ts';

const minute = 60_000;

/** What an attempt left to do. A thrown error is a failure: the job is retried. */
export type Outcome =
  | { done: true; settle?: (tx: TransactionStore) => Promise<unknown> }
  /** To be run again at that time, without having failed. */
  | { postponedUntil: Date };

export type JobKind<Payload extends object> = {
  /** As it is stored, and shown to administrators. */
  kind: string;
  /** Of the recurring run, for the log and the metrics. */
  name: string;
  everySeconds: number;
  /** Whether payloads are encrypted. */
  sealed: boolean;
  /** Milliseconds an attempt may take at most, with a large margin: after that another process claims the job. */
  lease: number;
  /** Milliseconds after which an unfinished job is deleted. */
  maximumAge: number;
  /** Jobs that one run takes at most. */
  perRun: number;
  /** Milliseconds until the next attempt. */
  retryAfter: (failures: number) => number;
  /** Performs the work, outside a transaction; `settle` of its outcome commits together with the end of the job. */
  run: (payload: Payload, job: BackgroundJob) => Promise<Outcome>;
  /** Commits together with the record of the failure; `expired`: the job is deleted because of its age. */
  failed?: (
    tx: TransactionStore,
    job: BackgroundJob,
    failure: { error: unknown; code: string; expired: boolean },
  ) => Promise<unknown>;
};

/** Half a minute, doubling up to half an hour. */
export const usualRetry = (failures: number) => Math.min(2 ** (failures - 1), 60) * (minute / 2);
