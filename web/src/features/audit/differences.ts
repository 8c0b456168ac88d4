import type { AuditEntry } from './audit-queries.ts';
import { fieldMessages } from './field-messages.ts';

const order = Object.keys(fieldMessages);
const placeOf = (field: string) => (order.includes(field) ? order.indexOf(field) : order.length);
/** Numbers of what has no page. */
const unnamed: readonly string[] = ['day_off', 'report_link'];

export type Difference = {
  field: string;
  /** Absent if the change created or deleted the object. */
  before?: unknown;
  after?: unknown;
};

/** Values that are not shown for a created or deleted object. */
export const isEmpty = (value: unknown) => value === null || value === undefined || value === '' || value === 0;

/** The fields of a change; for a created or deleted object only those with a value. */
export function differencesOf({ before, after }: Pick<AuditEntry, 'before' | 'after'>): Difference[] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
    .filter((field) => !unnamed.includes(field))
    .sort((a, b) => placeOf(a) - placeOf(b));
  return fields.flatMap((field) => {
    const difference: Difference = {
      field,
      ...(before !== null && field in before && { before: before[field] }),
      ...(after !== null && field in after && { after: after[field] }),
    };
    const isOneSided = !('before' in difference && 'after' in difference);
    return isOneSided && isEmpty(difference.before ?? difference.after) ? [] : [difference];
  });
}

const deleteActions: Partial<Record<AuditEntry['target_type'], string>> = {
  user: 'deleteUser',
  group: 'deleteGroup',
  project: 'deleteProject',
};

/** Deleted objects have no page to link to. */
export const isRemoval = ({ action, target_type, after }: AuditEntry): boolean =>
  action === deleteActions[target_type] || (target_type === 'contact_request' && after === null);
