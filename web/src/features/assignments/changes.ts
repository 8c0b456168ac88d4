import { api, type Schemas } from '../../lib/api.ts';
import type { Project } from './board-queries.ts';

export type ChangeType = 'add' | 'remove';
/** The staged change per student, for all picked projects. */
export type Stages = ReadonlyMap<number, ChangeType>;
/** Staged changes of single pairs, by student and project; they override `Stages`. */
export type Cells = ReadonlyMap<number, ReadonlyMap<number, ChangeType>>;
/** Projects by student. */
export type Pairs = Map<number, number[]>;
/** Pairs to add and to remove, staged or applied. */
export type Changes = Record<ChangeType, Pairs>;
type Failure = Schemas['BatchAssignResult']['failures'][number];
/** `error`: stopped early; changes applied before it remain. */
export type Outcome = { done: Changes; failures: Failure[]; error?: unknown };

const types = ['add', 'remove'] as const;
/** Far below the API's limit, so that progress can be shown and the server stays responsive. */
const maxPairs = 5000;
const maxProjects = 1000;

const noChanges = (): Changes => ({ add: new Map(), remove: new Map() });
const put = (pairs: Pairs, user: number, project: number) => {
  const projects = pairs.get(user);
  if (projects === undefined) pairs.set(user, [project]);
  else projects.push(project);
};

export const sizeOf = (pairs: Pairs): number => [...pairs.values()].reduce((sum, projects) => sum + projects.length, 0);

/** The number of these projects per student. */
export function countByStudent(projects: readonly Project[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { assigned_user_ids } of projects)
    for (const id of assigned_user_ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

/** The pairs that must change. Only these are sent, so concurrent changes of other pairs are preserved. */
export function changesOf(stages: Stages, picked: readonly Project[], cells: Cells, all: readonly Project[]): Changes {
  const changes = noChanges();
  for (const { id, assigned_user_ids } of picked) {
    const assigned = new Set(assigned_user_ids);
    for (const [user, type] of stages)
      if (assigned.has(user) === (type === 'remove') && cells.get(user)?.has(id) !== true) put(changes[type], user, id);
  }
  if (cells.size > 0)
    for (const { id, assigned_user_ids } of all)
      for (const [user, wanted] of cells) {
        const type = wanted.get(id);
        if (type !== undefined && assigned_user_ids.includes(user) === (type === 'remove'))
          put(changes[type], user, id);
      }
  return changes;
}

export const inverseOf = ({ add, remove }: Changes): Changes => ({ add: remove, remove: add });

type Request = { assign_type: ChangeType; project_ids: number[]; user_ids: number[] };

/** A request covers projects × students, so students with the same projects share one. */
function requestsFor(changes: Changes): Request[] {
  return types.flatMap((assign_type) => {
    const groups = new Map<string, Omit<Request, 'assign_type'>>();
    for (const [user, project_ids] of changes[assign_type]) {
      const key = project_ids.join();
      const group = groups.get(key);
      if (group === undefined) groups.set(key, { project_ids, user_ids: [user] });
      else group.user_ids.push(user);
    }
    return [...groups.values()].flatMap(({ project_ids, user_ids }) =>
      slices(project_ids, maxProjects).flatMap((projects) =>
        slices(user_ids, Math.max(1, Math.floor(maxPairs / projects.length))).map((users) => ({
          assign_type,
          project_ids: projects,
          user_ids: users,
        })),
      ),
    );
  });
}

function slices<T>(list: readonly T[], size: number): T[][] {
  const count = Math.ceil(list.length / size);
  return Array.from({ length: count }, (_, n) => list.slice(n * size, (n + 1) * size));
}

/** Sends the requests one by one; `onProgress` receives 0 to 1. */
export async function apply(changes: Changes, onProgress: (fraction: number) => void): Promise<Outcome> {
  const outcome: Outcome = { done: noChanges(), failures: [] };
  const total = sizeOf(changes.add) + sizeOf(changes.remove);
  let sent = 0;
  try {
    for (const body of requestsFor(changes)) {
      const { data } = await api.post('/api/projects/batch-assign', { body });
      addResult(outcome, data);
      sent += body.project_ids.length * body.user_ids.length;
      onProgress(sent / total);
    }
  } catch (error) {
    outcome.error = error;
  }
  return outcome;
}

/** Adds only pairs that this request changed, so that undo does not touch the others. */
function addResult({ done, failures }: Outcome, { details, failures: failed }: Schemas['BatchAssignResult']): void {
  failures.push(...failed);
  for (const { project_id, assigned_users } of details)
    for (const { user_id, status } of assigned_users) {
      if (status === 'assigned') put(done.add, user_id, project_id);
      if (status === 'removed') put(done.remove, user_id, project_id);
    }
}
