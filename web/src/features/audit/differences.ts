import type { AuditEntry } from './audit-queries.ts';

export type Difference = {
  field: string;
  /** Absent where there was, or is, nothing to compare with. */
  before?: unknown;
  after?: unknown;
};

/** Nothing that a reader could miss in what is new or gone. */
export const isNothing = (value: unknown) => value === null || value === undefined || value === '' || value === 0;

/** The fields of both sides; of what is new or gone only those that say something. */
export function differencesOf({ before, after }: Pick<AuditEntry, 'before' | 'after'>): Difference[] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return fields.flatMap((field) => {
    const difference: Difference = {
      field,
      ...(before !== null && field in before && { before: before[field] }),
      ...(after !== null && field in after && { after: after[field] }),
    };
    const isOneSided = !('before' in difference && 'after' in difference);
    return isOneSided && isNothing(difference.before ?? difference.after) ? [] : [difference];
  });
}

const removing: Partial<Record<AuditEntry['target_type'], string>> = {
  user: 'deleteUser',
  group: 'deleteGroup',
  project: 'deleteProject',
};

/** Of what is gone no page is left to look at. */
export const isRemoval = ({ action, target_type, after }: AuditEntry): boolean =>
  action === removing[target_type] || (target_type === 'contact_request' && after === null);
