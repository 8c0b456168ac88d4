import type { Clock } from '../../lib/clock.ts';
import type { Store } from '../../store.ts';
import type { ImportFailure } from './import-repository.ts';
import type { ImportWriter } from './import-writer.ts';

/** Seconds without a heartbeat after which the process of an import is considered dead. */
const lease = 60;
const retentionDays = 7;

const interrupted: ImportFailure = { code: 'SERVICE_UNAVAILABLE', text: { key: 'import_interrupted' }, details: [] };

export type ImportRecoveryOptions = { store: Store; clock: Clock; writer: ImportWriter };

/** Undoes imports whose process has ended: no success was reported, and nobody could verify the rights of the actor. */
export function createImportRecovery({ store, clock, writer }: ImportRecoveryOptions) {
  const { imports } = store;
  const lapsed = () => new Date(clock().getTime() - lease * 1000);

  /** Returns false if its process is alive or another one has taken the import over. */
  async function undoLapsed(id: number): Promise<boolean> {
    const found = await imports.takeOver(id, clock(), lapsed());
    if (found === undefined) return false;
    await imports.finish(id, { state: 'failed', from: 'checking', now: clock() }, interrupted);
    await imports.startUndo(id, interrupted);
    await writer.undo(id, found.user_id);
    await imports.finish(id, { state: 'undone', from: 'undoing', now: clock() });
    return true;
  }

  return {
    undoLapsed,

    async undoAllLapsed(): Promise<void> {
      const failures: unknown[] = [];
      for (const id of await imports.listLapsed(lapsed()))
        await undoLapsed(id).catch((error: unknown) => failures.push(error)); // one failure does not stop the others
      if (failures.length > 0) throw new AggregateError(failures, 'interrupted imports were not undone');
    },

    deleteOld: () => imports.deleteFinished(new Date(clock().getTime() - retentionDays * 86_400_000)),
  };
}

export type ImportRecovery = ReturnType<typeof createImportRecovery>;
