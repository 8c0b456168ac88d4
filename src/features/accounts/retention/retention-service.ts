import type { Clock } from '../../../lib/clock.ts';
import type { Db } from '../../../transactions/transactions.ts';
import type { RetainedKind } from './retention-repository.ts';
import * as retention from './retention-repository.ts';

const day = 86_400_000;
const perStatement = 1000;
/** Of a kind in a run of the job, so that it ends soon; the next run continues. */
export const perRun = 100_000;

/** Days after which data are removed; 0: never. */
type RetentionSettings = { auditDays: number; addressDays: number };
export type Due = { kind: RetainedKind; days: number; count: number };
type Options = { store: Db; settings: RetentionSettings; clock: Clock };

/** Removes what is kept for longer than the settings say. */
export function createRetentionService({ store, settings, clock }: Options) {
  const { auditDays, addressDays } = settings;
  const all: { kind: RetainedKind; days: number }[] = [
    { kind: 'audit_log', days: auditDays },
    { kind: 'sign_ins', days: addressDays },
    { kind: 'contact_requests', days: addressDays },
  ];
  const limited = all.filter(({ days }) => days > 0);
  const before = (days: number) => new Date(clock().getTime() - days * day);

  return {
    isOn: limited.length > 0,

    /** What the next runs remove. */
    count: (): Promise<Due[]> =>
      Promise.all(
        limited.map(async ({ kind, days }) => ({
          kind,
          days,
          count: await retention.countDue(store, kind, before(days)),
        })),
      ),

    /** At most `perRun` of each kind, in short statements, none of which keeps others waiting. */
    async run(): Promise<Due[]> {
      const done: Due[] = [];
      for (const { kind, days } of limited) {
        let count = 0;
        let removed = perStatement;
        while (removed === perStatement && count < perRun) {
          removed = await retention.removeDue(store, kind, before(days), perStatement);
          count += removed;
        }
        done.push({ kind, days, count });
      }
      return done;
    },
  };
}
