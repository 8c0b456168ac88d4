import type { SessionChange, SessionFacts } from '../../events/event.ts';
import type { TransactionStore } from '../../store.ts';
import type { AuditContext } from '../auth/identity.ts';

type Times = Pick<SessionFacts, 'project_id' | 'started_at' | 'ended_at'>;

/** The seconds that count: those of a running timer do not yet. */
const countedSeconds = ({ started_at, ended_at }: Times): number =>
  ended_at === null ? 0 : Math.floor((Date.parse(ended_at) - Date.parse(started_at)) / 1000);

/** The difference of each project's seconds. */
function differences(counted: readonly (readonly [session: Times, sign: 1 | -1])[]): Map<number, number> {
  const seconds = new Map<number, number>();
  for (const [session, sign] of counted)
    seconds.set(session.project_id, (seconds.get(session.project_id) ?? 0) + sign * countedSeconds(session));
  return seconds;
}

async function recordGoals(tx: TransactionStore, seconds: Map<number, number>, by?: AuditContext): Promise<void> {
  for (const [id, added] of [...seconds].filter(([, difference]) => difference > 0)) {
    const project = await tx.projects.findReached(id, added);
    if (project !== undefined) tx.record({ type: 'goal.reached', projects: [project], ...(by && { by }) });
  }
}

/** Records new sessions and the goals that they reach. The transaction has locked their projects. */
export async function recordCreated(tx: TransactionStore, sessions: readonly SessionFacts[], by?: AuditContext) {
  tx.record({ type: 'session.created', sessions, ...(by && { by }) });
  await recordGoals(tx, differences(sessions.map((session) => [session, 1] as const)), by);
}

/** The same for sessions that have changed, such as timers that have ended. */
export async function recordChanged(tx: TransactionStore, changes: readonly SessionChange[]): Promise<void> {
  if (changes.length === 0) return;
  tx.record({ type: 'session.updated', changes });
  await recordGoals(
    tx,
    differences(changes.flatMap(({ before, after }) => [[before, -1] as const, [after, 1] as const])),
  );
}
