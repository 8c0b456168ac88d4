import type { Readable } from 'node:stream';
import { type Actor, isAdministrator } from '../../../actor.ts';
import type { SecurityEvent, SecurityLog } from '../../../lib/log/security-log.ts';
import type { Db } from '../../../transactions/transactions.ts';

/** The filter of an export: ids, states and dates, never search texts. */
type ExportFilter = Readonly<Record<string, number | string | Date | undefined>>;

/** Logs an export of personal data before any of it is sent; resolves to the stream. */
export type AuditExport = <Stream extends Readable>(
  actor: Actor,
  event: Extract<SecurityEvent, 'records_exported' | 'contact_requests_exported' | 'progress_exported'>,
  filter: ExportFilter,
  stream: Stream,
) => Promise<Stream>;

export function createExportAudit({ store, securityLog }: { store: Db; securityLog: SecurityLog }): AuditExport {
  return async (actor, event, filter, stream) => {
    try {
      // Only administrators, who can read the data of others, are audited.
      if (isAdministrator(actor))
        await store.transaction(actor.context, async ({ record }) => record({ type: 'export.read', filter }));
    } catch (error) {
      stream.destroy();
      throw error;
    }
    securityLog.note(event, actor);
    return stream;
  };
}
