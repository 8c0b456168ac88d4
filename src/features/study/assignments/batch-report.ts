import { createYield } from '../../../lib/fair-queue.ts';
import { type Locale, type Message, type MessageKey, translate } from '../../../texts/index.ts';
import type { AssignableUser } from '../../accounts/user-locks/user-lock-repository.ts';
import type { AssignmentChange } from './assignment-repository.ts';
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
  /** The users that the administrator may assign, and the projects, by id. */
  inScope: { users: ReadonlySet<number>; projects: ReadonlySet<number> };
  removedNames: ReadonlyMap<number, string>;
  changes: readonly AssignmentChange[];
};

const failureTexts: Record<FailureCode, MessageKey> = {
  PROJECT_NOT_FOUND: 'project_not_found',
  USER_NOT_FOUND: 'user_not_found',
  USER_INACTIVE: 'user_inactive',
  USER_IS_ADMIN: 'user_is_admin',
  USER_BUSY: 'user_busy',
  OUT_OF_SCOPE: 'out_of_scope',
};

export function userFailure(
  user: AssignableUser | undefined,
  { type, busy, inScope }: Pick<BatchOutcome, 'type' | 'busy'> & { inScope: Pick<BatchOutcome['inScope'], 'users'> },
): FailureCode | undefined {
  if (user !== undefined && !inScope.users.has(user.id)) return 'OUT_OF_SCOPE';
  if (user === undefined) return 'USER_NOT_FOUND';
  if (user.role === 'admin') return 'USER_IS_ADMIN';
  if (user.status === 'inactive' && type !== 'remove') return 'USER_INACTIVE';
  return busy.has(user.id) ? 'USER_BUSY' : undefined;
}

/** Up to 100,000 pairs: other requests are served between the projects. */
export async function reportBatch(outcome: BatchOutcome, locale: Locale, yieldTurn = createYield()) {
  const { type, projectIds, userIds, projects, users } = outcome;
  const failureOf = new Map<number, FailureCode>();
  for (const id of userIds) {
    const code = userFailure(users.get(id), outcome);
    if (code !== undefined) failureOf.set(id, code);
  }
  const valid = userIds.filter((id) => !failureOf.has(id));

  const entryOf = (user_id: number, status: PairStatus) => {
    const username = users.get(user_id)?.username ?? outcome.removedNames.get(user_id) ?? '';
    return { user_id, username, status };
  };
  const changeOf = new Map(outcome.changes.map((change) => [change.project_id, change]));
  const details = await collect(projectIds, yieldTurn, (project_id) => {
    const project_name = projects.get(project_id);
    if (project_name === undefined || !outcome.inScope.projects.has(project_id)) return [];
    const { added = [], removed = [] } = changeOf.get(project_id) ?? {};
    const changed = new Set(type === 'remove' ? removed : added);
    const requested = valid.map((id) => entryOf(id, pairStatus(type, changed.has(id))));
    const others = type === 'replace' ? removed : [];
    const assigned_users = [...requested, ...others.map((id) => entryOf(id, 'removed'))];
    return [{ project_id, project_name, assigned_users }];
  });

  const failureOfPair = (project_id: number, user_id: number | null, code: FailureCode) => {
    return { project_id, user_id, code, message: translate({ key: failureTexts[code] }, locale) };
  };
  const failures = await collect(projectIds, yieldTurn, (project_id) => {
    const missing = missingProject(outcome, project_id);
    if (missing === undefined) return [...failureOf].map(([user_id, code]) => failureOfPair(project_id, user_id, code));
    const failing = userIds.length === 0 ? [null] : userIds;
    return failing.map((user_id) => failureOfPair(project_id, user_id, missing));
  });

  return { assigned_count: details.length * valid.length, failed_count: failures.length, details, failures };
}

export type BatchReport = Awaited<ReturnType<typeof reportBatch>>;

async function collect<Entry>(
  projectIds: readonly number[],
  yieldTurn: () => Promise<void>,
  entriesOf: (projectId: number) => readonly Entry[],
): Promise<Entry[]> {
  const found: Entry[] = [];
  for (const id of projectIds) {
    found.push(...entriesOf(id));
    await yieldTurn();
  }
  return found;
}

export function batchMessage(report: BatchReport): Message {
  const params = { done: report.assigned_count, failed: report.failed_count };
  const listed = report.details.reduce((sum, { assigned_users }) => sum + assigned_users.length, 0);
  if (params.done + params.failed === 0 && listed > 0) return { key: 'batch_cleared', params: { removed: listed } };
  return { key: report.failed_count > 0 ? 'batch_partly_assigned' : 'batch_assigned', params };
}

function missingProject({ projects, inScope }: BatchOutcome, id: number): FailureCode | undefined {
  if (!projects.has(id)) return 'PROJECT_NOT_FOUND';
  return inScope.projects.has(id) ? undefined : 'OUT_OF_SCOPE';
}

function pairStatus(type: AssignType, isChanged: boolean): PairStatus {
  if (type === 'remove') return isChanged ? 'removed' : 'not_assigned';
  return isChanged ? 'assigned' : 'already_assigned';
}
