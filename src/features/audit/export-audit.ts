import type { Readable } from 'node:stream';
import type { SecurityEvent, SecurityLog } from '../../lib/log/security-log.ts';
import type { Store } from '../../store.ts';
import type { Actor } from '../auth/identity.ts';

/** The filter of an export: ids, states and dates, never search texts. */
type ExportFilter = Readonly<Record<string, number | string | Date | undefined>>;

/** Logs an export of personal data before any of it is sent; resolves to the stream. */
export type AuditExport = <Stream extends Readable>(
  actor: Actor,
  event: Extract<SecurityEvent, 'records_exported' | 'contact_requests_exported' | 'progress_exported'>,
  filter: ExportFilter,
  stream: Stream,
) => Promise<Stream>;

export function createExportAudit({ store, securityLog }: { store: Store; securityLog: SecurityLog }): AuditExport {
  return async (actor, event, filter, stream) => {
    try {
      // Only administrators, who can read the data of all users, are audited.
      if (actor.role === 'admin')
        await store.transaction(async ({ record }) => record({ type: 'export.read', filter }), actor.context);
    } catch (error) {
      stream.destroy();
      throw error;
    }
    securityLog.note(event, actor);
    return stream;
  };
}
