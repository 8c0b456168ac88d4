import type { AuditEntry } from './audit-queries.ts';

/** The entries of one request, such as the accounts of a pasted list, newest first. */
export type Action = { first: AuditEntry; entries: readonly AuditEntry[]; ids: readonly number[] };

/** One item for each thing that an administrator did; `ids` are those of what it was done to. */
export function actionsOf(entries: readonly AuditEntry[]): Action[] {
  const byRequest = new Map<string, AuditEntry[]>();
  for (const entry of entries) {
    const others = byRequest.get(entry.request_id);
    if (others === undefined) byRequest.set(entry.request_id, [entry]);
    else others.push(entry);
  }
  return [...byRequest.values()].map((entries) => {
    const first = entries.toSorted((a, b) => a.id - b.id)[0] as AuditEntry; // none is empty
    const alike = entries.filter(({ target_type }) => target_type === first.target_type);
    return { first, entries, ids: [...new Set(alike.toReversed().flatMap(({ target_ids }) => target_ids))] };
  });
}
