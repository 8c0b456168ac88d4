import type { z } from 'zod';
import { itemTag } from '../../http/etag.ts';
import type { session } from './session-schemas.ts';
import type { SessionRow } from './session-sql.ts';
import { hoursOf } from './session-times.ts';

export type SessionResponse = z.input<typeof session>;

export function toSessionResponse(row: SessionRow): SessionResponse {
  return {
    id: row.id,
    project_id: row.project_id,
    project_name: row.project_name,
    user_id: row.user_id,
    username: row.username,
    started_at: row.started_at,
    ended_at: row.ended_at,
    duration_seconds: row.duration_seconds,
    hours: hoursOf(row.duration_seconds),
    note: row.note,
    source: row.source,
    time_zone: row.time_zone,
    auto_stopped: row.auto_stopped,
    created_at: row.created_at,
    updated_at: row.updated_at,
    etag: itemTag(row.row_version),
  };
}
