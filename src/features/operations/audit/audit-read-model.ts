import type { Executor } from '../../../db/database.ts';
import { type RowOf, sql, t } from '../../../db/sql/sql.ts';
import { execute, many, one } from '../../../db/statements.ts';
import {
  type AuditQuery,
  type AuditTargetType,
  auditTargetTypes,
  type NamedType,
  namedTypes,
} from './audit-schemas.ts';

const entryColumns = {
  id: t.bigint,
  at: t.timestamptz,
  actor_id: t.bigint,
  actor_username: t.text,
  action: t.text,
  request_id: t.text,
  target_type: t.oneOf(auditTargetTypes),
  target_ids: t.bigints,
  before: t.json<Record<string, unknown>>().orNull,
  after: t.json<Record<string, unknown>>().orNull,
};
export type AuditEntryRow = RowOf<typeof entryColumns>;

function matches({ actor, action, target_type, target_id, from, to }: AuditQuery) {
  const [actorId, operation] = [t.bigint(actor ?? null), t.text(action ?? null)];
  const [targetType, targetId] = [t.text(target_type ?? null), t.bigint(target_id ?? null)];
  const [since, until] = [t.timestamptz(from ?? null), t.timestamptz(to ?? null)];
  return sql`(${actorId} IS NULL OR a.actor_id = ${actorId}) AND (${operation} IS NULL OR a.action = ${operation})
    AND (${targetType} IS NULL OR a.target_type = ${targetType})
    AND (${targetId} IS NULL OR a.target_ids @> ARRAY[${targetId}])
    AND (${since} IS NULL OR a.at >= ${since}) AND (${until} IS NULL OR a.at < ${until})`;
}

const listEntries = many(
  'list_audit_entries',
  { total: t.bigint, ...entryColumns },
  (filter: AuditQuery) => sql`
    WITH found AS NOT MATERIALIZED (SELECT a.id, a.at FROM audit_log a WHERE ${matches(filter)}),
    page AS (
      SELECT f.id FROM found f ORDER BY f.at DESC, f.id DESC
      LIMIT ${t.bigint(filter.limit)} OFFSET ${t.bigint((filter.page - 1) * filter.limit)})
    SELECT (SELECT count(*) FROM found) AS total, a.id, a.at, a.actor_id, u.username AS actor_username, a.action,
      a.request_id, a.target_type, a.target_ids, a.before, a.after
    FROM page p JOIN audit_log a ON a.id = p.id JOIN users u ON u.id = a.actor_id
    ORDER BY a.at DESC, a.id DESC`,
);
const countEntries = one(
  'count_audit_entries',
  { total: t.bigint },
  (filter: AuditQuery) => sql`SELECT count(*) AS total FROM audit_log a WHERE ${matches(filter)}`,
);

export async function list(db: Executor, filter: AuditQuery): Promise<{ entries: AuditEntryRow[]; total: number }> {
  const entries = await listEntries(db, filter);
  const { total } = entries[0] ?? (await countEntries(db, filter)); // past the end
  return { entries, total };
}

const columns = { type: t.oneOf(namedTypes), id: t.bigint, name: t.text };
type NamedIds = Readonly<Record<NamedType, ReadonlySet<number>>>;

/** Ids of a list that are named: a batch may change thousands at once. */
const maxNamesPerList = 10;

const typeOfTarget: Partial<Record<AuditEntryRow['target_type'], NamedType>> = {
  user: 'user',
  group: 'group',
  project: 'project',
  assignment: 'project',
};
const typeOfField: Readonly<Record<string, NamedType>> = {
  user_id: 'user',
  user_ids: 'user',
  project_id: 'project',
  group_id: 'group',
};

function idsIn(entries: readonly AuditEntryRow[]): NamedIds {
  const found = { user: new Set<number>(), project: new Set<number>(), group: new Set<number>() };
  const add = (type: NamedType | undefined, ids: readonly unknown[]) => {
    if (type === undefined) return;
    for (const id of ids.slice(0, maxNamesPerList)) if (Number.isSafeInteger(id)) found[type].add(Number(id));
  };
  for (const { actor_id, target_type, target_ids, before, after } of entries) {
    add('user', [actor_id]);
    add(typeOfTarget[target_type], target_ids);
    for (const [field, value] of Object.entries({ ...before }).concat(Object.entries({ ...after })))
      add(typeOfField[field], [value].flat());
  }
  return found;
}

/** Of users, projects and groups in these entries. */
export const listNames = many('read_audit_names', columns, (entries: readonly AuditEntryRow[]) => {
  const { user, project, group } = idsIn(entries);
  const [users, projects, groups] = [t.bigints([...user]), t.bigints([...project]), t.bigints([...group])];
  return sql`
    SELECT 'user' AS type, u.id, u.display_name AS name FROM users u WHERE u.id = ANY (${users}) AND u.deleted_at IS NULL
    UNION ALL SELECT 'project', p.id, p.name FROM projects p WHERE p.id = ANY (${projects})
    UNION ALL SELECT 'group', g.id, g.name FROM groups g WHERE g.id = ANY (${groups})`;
});

const personal = t.texts(['username', 'email', 'display_name', 'admin_note']);

/** Removes personal data of deleted objects from their entries. */
export const forget = execute(
  'forget_in_audit_log',
  (type: AuditTargetType, ids: readonly number[]) => sql`
    UPDATE audit_log a SET before = a.before - ${personal}, after = a.after - ${personal}
    WHERE a.target_type = ${t.text(type)} AND a.target_ids && ${t.bigints(ids)}`,
);
