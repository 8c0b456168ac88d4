import type { Readable } from 'node:stream';
import type { Database, Executor } from '../../db/database.ts';
import type { SecurityEvent, SecurityLog } from '../../lib/security-log.ts';
import type { Actor } from '../auth/identity.ts';
import { createExportAuditRepository } from './export-audit-repository.ts';

/** Which data an export was narrowed down to: ids, states and dates, never what somebody searched for. */
export type ExportFilter = Readonly<Record<string, number | string | Date | undefined>>;

/** Notes that personal data are exported, before any of them are sent: returns the stream once that is done. */
export type NoteExport = <Stream extends Readable>(
  actor: Actor,
  event: Extract<SecurityEvent, 'records_exported' | 'contact_requests_exported'>,
  filter: ExportFilter,
  stream: Stream,
) => Promise<Stream>;

export function createExportAudit(database: Database, securityLog: SecurityLog): NoteExport {
  return async (actor, event, filter, stream) => {
    // The audit log is about administrators, who see the data of everybody.
    const insert = (tx: Executor) => createExportAuditRepository(tx).insert(filter);
    try {
      if (actor.role === 'admin') await database.transaction(insert, actor.act);
    } catch (error) {
      stream.destroy();
      throw error;
    }
    securityLog.note(event, actor);
    return stream;
  };
}
