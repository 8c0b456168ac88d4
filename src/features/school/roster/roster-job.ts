import { z } from 'zod';
import type { Clock } from '../../../lib/clock.ts';
import type { Lifecycle } from '../../../lib/jobs.ts';
import { PermissionDeniedError, UnauthorizedError } from '../../../texts/access-errors.ts';
import type { Message } from '../../../texts/index.ts';
import type { Db } from '../../../transactions/transactions.ts';
import type { JobKind, Outcome } from '../../operations/background-work/job-kind.ts';
import type { RosterCheck } from './roster-check.ts';
import * as rosters from './roster-repository.ts';
import { interrupted, type Roster } from './roster-repository.ts';
import * as rosterRows from './roster-row-repository.ts';
import type { RosterWriter } from './roster-writer.ts';

const second = 1_000;
const minute = 60 * second;
/** Milliseconds of one run: the service waits for it when it stops. */
const maxRun = 5 * second;
/** Then it ends, as it lets no other roster begin. */
const maxFailures = 5;

const rosterJob = z.object({ roster_id: z.int() });
export type RosterJob = z.output<typeof rosterJob>;

type Options = { store: Db; check: RosterCheck; writer: RosterWriter; clock: Clock; lifecycle: Lifecycle };

/** Compares and applies a roster. After an interruption, the next run goes on with the first row that was not applied. */
export function createRosterKind({ store, check, writer, clock, lifecycle }: Options): JobKind<RosterJob> {
  async function write(roster: Roster): Promise<Outcome> {
    const until = performance.now() + maxRun;
    const isOver = () => lifecycle.draining || performance.now() > until;
    if (!(await writer.createGroups(roster, isOver))) return { postponedUntil: clock() };
    while (await writer.applyNext(roster)) if (isOver()) return { postponedUntil: clock() };
    await rosters.finish(store, roster.id, 'done', clock());
    return { done: true };
  }

  return {
    kind: 'roster',
    name: 'apply rosters',
    everySeconds: 1,
    payload: rosterJob,
    encrypted: false,
    lease: 2 * minute,
    maximumAge: 24 * 60 * minute,
    perRun: 1,
    retryAfter: (failures) => Math.min(failures, 60) * 10 * second,

    async run({ roster_id: id }) {
      const begun = await rosters.find(store, id);
      if (begun?.state === 'checking') await check(begun);
      const roster = await rosters.find(store, id);
      if (roster?.state !== 'writing') return { done: true };
      try {
        return await write(roster);
      } catch (error) {
        if (!(error instanceof UnauthorizedError || error instanceof PermissionDeniedError)) throw error;
        await rosters.finish(store, id, 'stopped', clock(), { code: error.code, text: { key: 'roster_rights_lost' } });
        return { done: true };
      }
    },

    async failed(tx, { roster_id: id }, job, { expired }) {
      const failures = job.failures + 1;
      if (!expired && failures < maxFailures) return;
      const isWriting = (await rosters.find(tx, id))?.state === 'writing';
      const row = isWriting ? (await rosterRows.findPending(tx, id))?.row : undefined;
      const text: Message =
        row === undefined
          ? { key: 'roster_attempts_failed', params: { failures } }
          : { key: 'roster_row_failed', params: { failures, row } };
      const failure = expired ? interrupted : ({ code: 'INTERNAL_ERROR', text } as const);
      await rosters.finish(tx, id, isWriting ? 'stopped' : 'failed', clock(), failure);
    },
  };
}
