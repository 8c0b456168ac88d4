import { type Locale, type Message, type MessageKey, translate } from '../../messages/index.ts';
import type { AssignableUser, AssignmentChange } from './assignment-repository.ts';
import type { assignTypes, failureCodes, pairStatuses } from './assignment-schemas.ts';

type AssignType = (typeof assignTypes)[number];
type FailureCode = (typeof failureCodes)[number];
type PairStatus = (typeof pairStatuses)[number];

export type BatchOutcome = {
  type: AssignType;
  projectIds: readonly number[];
  userIds: readonly number[];
  projects: ReadonlyMap<number, string>;
  users: ReadonlyMap<number, AssignableUser>;
  /** Those that another request is changing. */
  busy: ReadonlySet<number>;
  removedNames: ReadonlyMap<number, string>;
  changes: readonly AssignmentChange[];
};

const failureTexts: Record<FailureCode, MessageKey> = {
  PROJECT_NOT_FOUND: 'project_not_found',
  USER_NOT_FOUND: 'user_not_found',
  USER_INACTIVE: 'user_inactive',
  USER_IS_ADMIN: 'user_is_admin',
  USER_BUSY: 'user_busy',
};

export function userFailure(
  user: AssignableUser | undefined,
  { type, busy }: Pick<BatchOutcome, 'type' | 'busy'>,
): FailureCode | undefined {
  if (user === undefined) return 'USER_NOT_FOUND';
  if (user.role === 'admin') return 'USER_IS_ADMIN';
  if (user.status === 'inactive' && type !== 'remove') return 'USER_INACTIVE';
  return busy.has(user.id) ? 'USER_BUSY' : undefined;
}

export function reportBatch(outcome: BatchOutcome, locale: Locale) {
  const { type, projectIds, userIds, projects, users } = outcome;
  const failureOf = new Map(userIds.map((id) => [id, userFailure(users.get(id), outcome)]));
  const valid = userIds.filter((id) => failureOf.get(id) === undefined);
  const changes = changesByProject(outcome.changes);

  const details = projectIds.flatMap((project_id) => {
    const project_name = projects.get(project_id);
    if (project_name === undefined) return [];
    const changed = changes.get(project_id) ?? new Map<number, AssignmentChange['change']>();
    const requested = valid.map((user_id) => ({
      user_id,
      username: users.get(user_id)?.username ?? '',
      status: pairStatus(type, changed.get(user_id)),
    }));
    return [{ project_id, project_name, assigned_users: [...requested, ...otherwiseRemoved(outcome, changed)] }];
  });

  const text = (code: FailureCode) => translate({ key: failureTexts[code] }, locale);
  const failures = projectIds.flatMap((project_id) => {
    const missing = !projects.has(project_id);
    if (missing && userIds.length === 0) return [failure(project_id, null, 'PROJECT_NOT_FOUND', text)];
    return userIds.flatMap((user_id) => {
      const code = missing ? 'PROJECT_NOT_FOUND' : failureOf.get(user_id);
      return code === undefined ? [] : [failure(project_id, user_id, code, text)];
    });
  });

  return { assigned_count: details.length * valid.length, failed_count: failures.length, details, failures };
}

export type BatchReport = ReturnType<typeof reportBatch>;

export function batchMessage(report: BatchReport): Message {
  const params = { done: report.assigned_count, failed: report.failed_count };
  return { key: report.failed_count > 0 ? 'batch_partly_assigned' : 'batch_assigned', params };
}

function failure(project_id: number, user_id: number | null, code: FailureCode, text: (code: FailureCode) => string) {
  return { project_id, user_id, code, message: text(code) };
}

function pairStatus(type: AssignType, change: AssignmentChange['change'] | undefined): PairStatus {
  if (type === 'remove') return change === 'removed' ? 'removed' : 'not_assigned';
  return change === 'added' ? 'assigned' : 'already_assigned';
}

function otherwiseRemoved(
  { type, removedNames }: BatchOutcome,
  changed: ReadonlyMap<number, AssignmentChange['change']>,
) {
  if (type !== 'replace') return [];
  return [...changed]
    .filter(([, change]) => change === 'removed')
    .map(([user_id]) => ({ user_id, username: removedNames.get(user_id) ?? '', status: 'removed' as const }));
}

function changesByProject(changes: readonly AssignmentChange[]): Map<number, Map<number, AssignmentChange['change']>> {
  const byProject = new Map<number, Map<number, AssignmentChange['change']>>();
  for (const { project_id, user_id, change } of changes) {
    const ofProject = byProject.get(project_id) ?? new Map<number, AssignmentChange['change']>();
    byProject.set(project_id, ofProject.set(user_id, change));
  }
  return byProject;
}
