import type { Database } from '../../db/database.ts';
import type { Clock } from '../../lib/clock.ts';
import { createImportRepository, type ImportFailure } from './import-repository.ts';
import type { ImportWriter } from './import-writer.ts';

/** Seconds without a heartbeat after which the process of an import counts as dead. */
const lease = 60;
const keptDays = 7;

const interrupted: ImportFailure = { code: 'SERVICE_UNAVAILABLE', text: { key: 'import_interrupted' }, details: [] };

export type ImportRecoveryOptions = { database: Database; clock: Clock; writer: ImportWriter };

/**
 * Undoes imports whose process has ended. They are not finished in its place: the request was not answered with success,
 * and nobody is signed in whose rights could be checked. The file can be sent again.
 */
export function createImportRecovery({ database, clock, writer }: ImportRecoveryOptions) {
  const imports = createImportRepository(database);
  const lapsed = () => new Date(clock().getTime() - lease * 1000);

  /** False when its process is alive, or another one has taken it over. */
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
        await undoLapsed(id).catch((error: unknown) => failures.push(error)); // the others are not to wait for this one
      if (failures.length > 0) throw new AggregateError(failures, 'interrupted imports were not undone');
    },

    sweep: () => imports.sweep(new Date(clock().getTime() - keptDays * 86_400_000)),
  };
}

export type ImportRecovery = ReturnType<typeof createImportRecovery>;
