import type { Executor } from '../../db/database.ts';
import { type RowOf, sql, t } from '../../db/sql/sql.ts';
import { query } from '../../db/sql/statement.ts';
import type { AuditEntryRow } from './audit-read-model.ts';
import { type NamedType, namedTypes } from './audit-schemas.ts';

const columns = { type: t.oneOf(namedTypes), id: t.bigint, name: t.text };
export type AuditNameRow = RowOf<typeof columns>;
type NamedIds = Readonly<Record<NamedType, ReadonlySet<number>>>;

/** Ids of a list that are named: a batch may change thousands at once. */
const maxNamesPerList = 10;

const typeOfTarget: Partial<Record<AuditEntryRow['target_type'], NamedType>> = {
  ...{ user: 'user', group: 'group', project: 'project', assignment: 'project' },
};
const typeOfField: Readonly<Record<string, NamedType>> = {
  ...{ user_id: 'user', user_ids: 'user', project_id: 'project', group_id: 'group' },
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

const readNames = query('read_audit_names', columns, ({ user, project, group }: NamedIds) => {
  const [users, projects, groups] = [t.bigints([...user]), t.bigints([...project]), t.bigints([...group])];
  return sql`
    SELECT 'user' AS type, u.id, u.display_name AS name FROM users u WHERE u.id = ANY (${users}) AND u.deleted_at IS NULL
    UNION ALL SELECT 'project', p.id, p.name FROM projects p WHERE p.id = ANY (${projects})
    UNION ALL SELECT 'group', g.id, g.name FROM groups g WHERE g.id = ANY (${groups})`;
});

export function createAuditNamesReadModel(db: Executor) {
  return { of: (entries: readonly AuditEntryRow[]): Promise<AuditNameRow[]> => db.many(readNames(idsIn(entries))) };
}
export type AuditNamesReadModel = ReturnType<typeof createAuditNamesReadModel>;
