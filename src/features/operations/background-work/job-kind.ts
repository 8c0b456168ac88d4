import type { ZodType } from 'zod';
import type { Tx } from '../../../transactions/transactions.ts';
import type { BackgroundJob } from './background-job-repository.ts';

const minute = 60_000;

/** The result of an attempt. If it throws, the job is retried. */
export type Outcome<Payload = never> =
  /** `rest`: what remains to be done, after the jobs that wait now. */
  | { done: true; settle?: (tx: Tx) => Promise<unknown>; rest?: Payload | undefined }
  /** Runs again at that time; not a failure. */
  | { postponedUntil: Date };

export type JobKind<Payload extends object> = {
  /** Stored with the job and shown to administrators. */
  kind: string;
  /** Of the recurring run, for the log and the metrics. */
  name: string;
  everySeconds: number;
  /** Those that the recurring run serves, the most urgent first. */
  queues?: readonly string[];
  /** Parses stored payloads: those of an earlier version may differ. */
  payload: ZodType<Payload>;
  /** The jobs of a user are one job while they wait: the list of its payload has the elements of all of them. */
  merges?: keyof Payload & string;
  /** Whether payloads are encrypted. */
  encrypted: boolean;
  /** Milliseconds, well above the longest attempt: after that, another process claims the job. */
  lease: number;
  /** Milliseconds after which an unfinished job is deleted. */
  maximumAge: number;
  /** The most jobs of one run. */
  perRun: number;
  /** Milliseconds until the next attempt. */
  retryAfter: (failures: number) => number;
  /** Runs outside a transaction; `settle` of its outcome commits together with the end of the job. */
  run: (payload: Payload, job: BackgroundJob) => Promise<Outcome<Payload>>;
  /** Commits together with the failure; `expired`: the job is deleted and not retried. */
  failed?: (
    tx: Tx,
    payload: Payload,
    job: BackgroundJob,
    failure: { error: unknown; code: string; expired: boolean },
  ) => Promise<unknown>;
};

/** 30 seconds, doubling up to 30 minutes. */
export const exponentialBackoff = (failures: number) => Math.min(2 ** (failures - 1), 60) * (minute / 2);
