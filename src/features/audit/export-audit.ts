import type { Readable } from 'node:stream';
import type { SecurityEvent, SecurityLog } from '../../lib/security-log.ts';
import type { Store } from '../../store.ts';
import type { Actor } from '../auth/identity.ts';

/** Which data an export was narrowed down to: ids, states and dates, never search texts. */
export type ExportFilter = Readonly<Record<string, number | string | Date | undefined>>;

/** Logs that personal data are exported, before any of them are sent: returns the stream once that is done. */
export type AuditExport = <Stream extends Readable>(
  actor: Actor,
  event: Extract<SecurityEvent, 'records_exported' | 'contact_requests_exported' | 'progress_exported'>,
  filter: ExportFilter,
  stream: Stream,
) => Promise<Stream>;

export function createExportAudit({ store, securityLog }: { store: Store; securityLog: SecurityLog }): AuditExport {
  return async (actor, event, filter, stream) => {
    try {
      // The audit log is about administrators, who see the data of everybody.
      if (actor.role === 'admin') await store.transaction(({ audit }) => audit.insertExport(filter), actor.act);
    } catch (error) {
      stream.destroy();
      throw error;
    }
    securityLog.note(event, actor);
    return stream;
  };
}
