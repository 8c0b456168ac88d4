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
  const failureOf = new Map(userIds.map((id) => [id, userFailure(users.get(id), outcome)]));
  const valid = userIds.filter((id) => failureOf.get(id) === undefined);

  const changes = changesByProject(outcome.changes);
  const details = await collect(projectIds, yieldTurn, (project_id) => {
    const project_name = projects.get(project_id);
    if (project_name === undefined || !outcome.inScope.projects.has(project_id)) return [];
    const changed = changes.get(project_id) ?? new Map<number, AssignmentChange['change']>();
    const requested = valid.map((user_id) => ({
      user_id,
      username: users.get(user_id)?.username ?? '',
      status: pairStatus(type, changed.get(user_id)),
    }));
    return [{ project_id, project_name, assigned_users: [...requested, ...otherwiseRemoved(outcome, changed)] }];
  });

  const text = (code: FailureCode) => translate({ key: failureTexts[code] }, locale);
  const failures = await collect(projectIds, yieldTurn, (project_id) => {
    const missing = missingProject(outcome, project_id);
    if (missing !== undefined && userIds.length === 0) return [failure(project_id, null, missing, text)];
    return userIds.flatMap((user_id) => {
      const code = missing ?? failureOf.get(user_id);
      return code === undefined ? [] : [failure(project_id, user_id, code, text)];
    });
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
  return { key: report.failed_count > 0 ? 'batch_partly_assigned' : 'batch_assigned', params };
}

function missingProject({ projects, inScope }: BatchOutcome, id: number): FailureCode | undefined {
  if (!projects.has(id)) return 'PROJECT_NOT_FOUND';
  return inScope.projects.has(id) ? undefined : 'OUT_OF_SCOPE';
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

/** What changed for each user of a project, by the id of the project. */
function changesByProject(changes: readonly AssignmentChange[]) {
  const found = new Map<number, Map<number, AssignmentChange['change']>>();
  for (const { project_id, user_ids, change } of changes) {
    const ofUsers = found.get(project_id) ?? new Map<number, AssignmentChange['change']>();
    found.set(project_id, ofUsers);
    for (const id of user_ids) ofUsers.set(id, change);
  }
  return found;
}
