import type { ProjectFacts, UserFacts } from '../../../events.ts';
import type { AuditTargetType } from './audit-schemas.ts';

export type Fields = Record<string, unknown>;

export type Values = Fields | null;

export type Change = { target_type: AuditTargetType; target_ids: readonly number[]; before: Values; after: Values };

type Computed = 'id' | 'current_hours' | 'progress' | 'created_at' | 'updated_at';

type AuditedProjectField = Exclude<keyof ProjectFacts, Computed>;

/** The other ones are the user's own preferences. */
type AuditedUserField = Exclude<keyof UserFacts, Computed | 'day_start_hour' | 'rest_weekdays' | 'totp_enabled'>;

/** The logged columns, complete by type: a new field of the facts is logged or excluded above. */
export const auditedColumns = {
  user: Object.keys({
    username: true,
    email: true,
    display_name: true,
    role: true,
    status: true,
    timezone: true,
    admin_scope: true,
    admin_group_ids: true,
  } satisfies Record<AuditedUserField, true>),
  project: Object.keys({
    user_id: true,
    name: true,
    description: true,
    status: true,
    category: true,
    target_hours: true,
    rating_standard: true,
    due_date: true,
    weekly_goal_hours: true,
    target_scope: true,
    color: true,
    image: true,
  } satisfies Record<AuditedProjectField, true>),
  /** Without the sender's text, which must not outlive the request. */
  contact_request: ['subject', 'status', 'admin_note', 'user_id'],
  /** Without the note, which belongs to its author. */
  session: ['project_id', 'user_id', 'started_at', 'ended_at'],
  group: ['name'],
  personal_token: ['name', 'scopes'],
  term: ['name', 'first_day', 'last_day'],
  school_day: ['name', 'first_day', 'last_day', 'kind', 'group_id'],
  /** A change of the secret shows in previous_expires_at. */
  webhook: ['url', 'events', 'active', 'previous_expires_at'],
} as const satisfies Partial<Record<AuditTargetType, readonly string[]>>;

type Logged = keyof typeof auditedColumns;

/** Times are logged as PostgreSQL writes them in JSON. */
export const loggedTime = (time: string): string => time.replace(/\.?0*Z$/, '+00:00');

function logged(name: string, value: unknown): unknown {
  return name.endsWith('_at') && typeof value === 'string' ? loggedTime(value) : (value ?? null);
}

function pick(source: object, columns: readonly string[]): Fields {
  const fields: Fields = { ...source };
  return Object.fromEntries(columns.map((name) => [name, logged(name, fields[name])]));
}

export function entry(
  target_type: AuditTargetType,
  target_ids: readonly number[],
  before: Values,
  after: Values,
): Change {
  return { target_type, target_ids, before, after };
}

export const created = (target_type: Logged, row: { id: number }, more: Fields = {}): Change =>
  entry(target_type, [row.id], null, { ...pick(row, auditedColumns[target_type]), ...more });

export const removed = (target_type: Logged, row: { id: number }): Change =>
  entry(target_type, [row.id], pick(row, auditedColumns[target_type]), null);

/** Nothing if no logged column differs. Columns that `before` does not have are unchanged. */
export function changed(target_type: Logged, id: number, from: object, to: object, more: Fields = {}): Change[] {
  const known: Fields = { ...from };
  const columns = auditedColumns[target_type].filter((name) => known[name] !== undefined);
  const [before, after] = [pick(from, columns), pick(to, columns)];
  const differing = columns.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  if (differing.length === 0 && Object.keys(more).length === 0) return [];
  const old = differing.length === 0 ? null : pick(from, differing);
  return [entry(target_type, [id], old, { ...pick(to, differing), ...more })];
}

/** What was created, changed or removed. */
export function written(target_type: Logged, before: { id: number } | null, after: { id: number } | null): Change[] {
  if (after === null) return before === null ? [] : [removed(target_type, before)];
  return before === null ? [created(target_type, after)] : changed(target_type, after.id, before, after);
}

export const ascending = (ids: Iterable<number>): number[] => [...new Set(ids)].sort((a, b) => a - b);
