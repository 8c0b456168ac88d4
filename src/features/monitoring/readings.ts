import type { Database } from '../../db/database.ts';
import type { Reading } from '../../lib/metrics.ts';
import type { DatabaseMonitor } from './database-monitor.ts';

export type ReadingsOptions = {
  database: Database;
  databaseMonitor: DatabaseMonitor;
  responseCache: { stats(): { hits: number; misses: number } };
};

export function createReadings({ database, databaseMonitor, responseCache }: ReadingsOptions): Reading[] {
  return [
    {
      name: 'database_up',
      help: 'Whether the last check of the database succeeded.',
      type: 'gauge',
      across: 'min',
      read: () => Number(databaseMonitor.isUp()),
    },
    {
      name: 'database_connections_used',
      help: 'Connections in use.',
      type: 'gauge',
      read: () => database.pool().used,
    },
    {
      name: 'database_connections_free',
      help: 'Idle connections of the pool.',
      type: 'gauge',
      read: () => database.pool().free,
    },
    {
      name: 'database_requests_waiting',
      help: 'Requests waiting for a connection.',
      type: 'gauge',
      read: () => database.pool().waiting,
    },
    {
      name: 'mails_unsent',
      help: 'Mails waiting to be sent.',
      type: 'gauge',
      across: 'max',
      read: databaseMonitor.unsentMails,
    },
    {
      name: 'list_cache_hits_total',
      help: 'Lists served from memory.',
      type: 'counter',
      read: () => responseCache.stats().hits,
    },
    {
      name: 'list_cache_misses_total',
      help: 'Lists read from the database.',
      type: 'counter',
      read: () => responseCache.stats().misses,
    },
  ];
}
