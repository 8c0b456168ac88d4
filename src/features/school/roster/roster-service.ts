import { open } from 'node:fs/promises';
import type { Actor } from '../../../actor.ts';
import type { TimeZones } from '../../../db/time-zones.ts';
import type { Clock } from '../../../lib/clock.ts';
import { ConflictError, NotFoundError, UnavailableError, ValidationError } from '../../../texts/errors.ts';
import type { Db } from '../../../transactions/transactions.ts';
import type { JobQueue } from '../../operations/background-work/background-worker.ts';
import type { MailOutbox } from '../../operations/mail/mail-outbox.ts';
import { readOneRoster } from './file/oneroster.ts';
import { readRosterCsv } from './file/roster-csv.ts';
import type { RosterFile } from './file/roster-row.ts';
import * as difference from './roster-difference-read-model.ts';
import type { RosterJob } from './roster-job.ts';
import * as rosters from './roster-repository.ts';
import { interrupted, type Roster } from './roster-repository.ts';
import * as rosterRows from './roster-row-repository.ts';
import type { ImportRosterInput, ListRosterChanges } from './roster-schemas.ts';

const batchRows = 1_000;
const minute = 60_000;
const retentionDays = 30;

type Options = { store: Db; queue: JobQueue<RosterJob>; mail: MailOutbox; timeZones: TimeZones; clock: Clock };
export type RosterService = ReturnType<typeof createRosterService>;

/** Receives rosters, which jobs then compare and apply. */
export function createRosterService({ store, queue, mail, timeZones, clock }: Options) {
  const ago = (milliseconds: number) => new Date(clock().getTime() - milliseconds);

  async function find(id: number): Promise<Roster> {
    const found = await rosters.find(store, id);
    if (found === undefined) throw new NotFoundError('roster_not_found');
    return found;
  }

  async function requireNoneRunning(): Promise<void> {
    if (await rosters.hasUnfinished(store)) throw new ConflictError('CONFLICT', 'roster_running');
  }

  async function insert({ id: user_id, sign_in_id, context }: Actor, options: ImportRosterInput, file: RosterFile) {
    const request_id = context?.request_id ?? '';
    const roster = { user_id, sign_in_id, request_id, deactivate_at_most: null, ...options };
    const id = await store.transaction(context, (tx) => rosters.insert(tx, roster, file, clock()));
    if (id === undefined) throw new ConflictError('CONFLICT', 'roster_running');
    return id;
  }

  /** In short transactions: many rows take seconds. */
  async function stage(id: number, { rows }: RosterFile): Promise<void> {
    for (let at = 0; at < rows.length; at += batchRows)
      await rosterRows.stage(store, id, rows.slice(at, at + batchRows));
    await rosterRows.analyze(store);
  }

  return {
    /** Throws ConflictError while there is an unfinished roster. */
    requireNoneRunning,

    /** Throws ValidationError for a file that is no roster. What is wrong with its rows is found in the result. */
    async begin(actor: Actor, path: string, options: ImportRosterInput): Promise<Roster> {
      if (options.invite && !mail.enabled) throw ValidationError.of('invite', 'roster_no_mail');
      const { offsetAt } = await timeZones.rulesOf(actor.timezone);
      const now = clock().getTime();
      const file = await readRoster(path, new Date(now + offsetAt(now)).toISOString().slice(0, 10));
      // Otherwise all accounts would be missing.
      if (file.rows.length + file.errors_count === 0) throw ValidationError.of('file', 'roster_no_rows');
      const id = await insert(actor, options, file);
      try {
        await stage(id, file);
        await store.transaction(actor.context, async (tx) => {
          if (!(await rosters.setState(tx, id, 'receiving', 'checking'))) throw new UnavailableError();
          await queue.enqueue(tx, { roster_id: id }, { sender: actor.id });
        });
      } catch (error) {
        await rosters.finish(store, id, 'failed', clock(), interrupted).catch(() => undefined); // a job does it later
        throw error;
      }
      return find(id);
    },

    list: () => rosters.list(store),

    async get(id: number, filter: ListRosterChanges) {
      return { roster: await find(id), ...(await difference.list(store, id, filter)) };
    },

    /** Ends rosters whose process ended while it received them, and deletes old ones. */
    async clean(): Promise<void> {
      await rosters.failUnreceived(store, ago(10 * minute), clock(), interrupted);
      await rosters.deleteFinished(store, ago(retentionDays * 24 * 60 * minute));
    },
  };
}

/** Reads a CSV file or a OneRoster archive. Throws ValidationError for anything else. */
async function readRoster(path: string, today: string): Promise<RosterFile> {
  const head = Buffer.alloc(4);
  const file = await open(path);
  await file.read(head, 0, head.length, 0).finally(() => file.close());
  return head.toString('hex') === '504b0304' ? readOneRoster(path, today) : readRosterCsv(path);
}
