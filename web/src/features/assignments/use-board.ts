import { useMemo, useState } from 'react';
import { changed } from '../../lib/freshness.ts';
import type { Project, Student } from './board-queries.ts';
import {
  apply,
  type Cells,
  type Changes,
  type ChangeType,
  changesOf,
  countByStudent,
  inverseOf,
  type Outcome,
  type Stages,
} from './changes.ts';

export type Result = Outcome & { isUndone: boolean };
export type Pair = { readonly user: number; readonly project: Project };

/** The board's selection and staged changes, and applying them. */
export function useBoard(projects: readonly Project[], students: readonly Student[]) {
  const [pickedIds, setPickedIds] = useState<ReadonlySet<number>>(new Set());
  const [stages, setStages] = useState<Stages>(new Map());
  const [cells, setCells] = useState<Cells>(new Map());
  const [progress, setProgress] = useState<number>();
  const [result, setResult] = useState<Result>();

  const picked = useMemo(() => projects.filter(({ id }) => pickedIds.has(id)), [projects, pickedIds]);
  const counts = useMemo(() => countByStudent(picked), [picked]);
  const all = picked.length;

  /** The number of picked projects after applying, for students with staged changes. */
  const wanted = useMemo(() => {
    const sums = new Map<number, number>();
    for (const [id, type] of stages) sums.set(id, type === 'add' ? all : 0);
    for (const [id, types] of cells)
      for (const project of picked) {
        const type = types.get(project.id);
        if (type === undefined) continue;
        const isIn = isWanted(stages.get(id), { user: id, project });
        sums.set(id, (sums.get(id) ?? counts.get(id) ?? 0) + Number(type === 'add') - Number(isIn));
      }
    return sums;
  }, [stages, cells, picked, counts, all]);

  /** Students who will be in all picked projects. */
  const assigned = useMemo(() => {
    const isIn = (id: number) => all > 0 && (wanted.get(id) ?? counts.get(id) ?? 0) === all;
    return new Set(students.flatMap(({ id }) => (isIn(id) ? [id] : [])));
  }, [students, wanted, counts, all]);

  const staged = useMemo(() => {
    const sum = { add: 0, remove: 0, same: 0 };
    for (const [id, type] of stages) {
      const part = counts.get(id) ?? 0;
      const change = type === 'add' ? all - part : part;
      sum[type] += change;
      sum.same += all - change;
    }
    if (cells.size > 0)
      for (const project of projects)
        for (const [user, types] of cells) {
          const type = types.get(project.id);
          if (type === undefined) continue;
          const isIn = project.assigned_user_ids.includes(user);
          const stage = pickedIds.has(project.id) ? stages.get(user) : undefined;
          if (stage !== undefined) sum[isIn === (stage === 'remove') ? stage : 'same'] -= 1; // counted above
          sum[isIn === (type === 'remove') ? type : 'same'] += 1;
        }
    return sum;
  }, [stages, cells, projects, pickedIds, counts, all]);

  function pick(ids: readonly number[], isOn: boolean): void {
    const next = new Set(pickedIds);
    for (const id of ids) isOn ? next.add(id) : next.delete(id);
    setPickedIds(next);
  }

  /** Stages a change for all picked projects, replacing changes of single pairs. */
  function stage(ids: readonly number[], type: ChangeType | undefined): void {
    const next = new Map(stages);
    for (const id of ids) {
      const part = counts.get(id) ?? 0;
      const isUnchanged = all > 0 && part === (type === 'add' ? all : 0);
      isUnchanged || type === undefined ? next.delete(id) : next.set(id, type);
    }
    setStages(next);
    const staging = new Set(ids);
    setCells(
      withoutEmpty(cells, ([user, types]) => [
        user,
        staging.has(user) ? new Map([...types].filter(([project]) => !pickedIds.has(project))) : types,
      ]),
    );
  }

  /** Students in some of the projects cycle through unchanged, all and none. */
  function toggle(ids: readonly number[], isOn: boolean): void {
    const [id = 0] = ids;
    const now = stages.get(id);
    const isBack = isOn ? now === 'remove' : now === 'add' && (counts.get(id) ?? 0) === 0;
    stage(ids, ids.length === 1 && isBack ? undefined : isOn ? 'add' : 'remove');
  }

  const stageOf = ({ user, project }: Pair) => (pickedIds.has(project.id) ? stages.get(user) : undefined);

  /** Stages single pairs; a pair already in that state is not stored. */
  function stagePairs(pairs: readonly Pair[], isIn: boolean): void {
    const next = new Map([...cells].map(([user, types]) => [user, new Map(types)] as const));
    for (const pair of pairs) {
      const types = next.get(pair.user) ?? new Map<number, ChangeType>();
      if (isWanted(stageOf(pair), pair) === isIn) types.delete(pair.project.id);
      else types.set(pair.project.id, isIn ? 'add' : 'remove');
      next.set(pair.user, types);
    }
    setCells(withoutEmpty(next, (entry) => entry));
  }

  function discard(): void {
    setStages(new Map());
    setCells(new Map());
  }

  async function applyChanges(changes: Changes, isUndone: boolean): Promise<void> {
    if (progress !== undefined) return;
    setResult(undefined);
    setProgress(0);
    const outcome = await apply(changes, setProgress);
    // A failed refetch is shown by the page; the outcome is known regardless.
    await changed('projects', 'stats', 'progress').catch(() => undefined);
    if (outcome.error === undefined && !isUndone) discard();
    // A partial undo can be retried: repeating it is safe.
    const isPartlyUndone = isUndone && outcome.error !== undefined && result !== undefined;
    setResult(isPartlyUndone ? { ...result, error: outcome.error } : { ...outcome, isUndone });
    setProgress(undefined);
  }

  const changes = () => changesOf(stages, picked, cells, projects);
  const done = result?.isUndone === false ? result.done : undefined;
  return {
    picked,
    pickedIds,
    counts,
    wanted,
    assigned,
    staged,
    isStaged: stages.size + cells.size > 0,
    progress,
    result,
    pick,
    stage,
    toggle,
    stagePairs,
    /** Whether the student will be in the project. */
    willBeIn: (pair: Pair) => isWanted(cells.get(pair.user)?.get(pair.project.id) ?? stageOf(pair), pair),
    changes,
    apply: () => applyChanges(changes(), false),
    /** Undefined while there is nothing to undo. */
    undo:
      done !== undefined && done.add.size + done.remove.size > 0
        ? () => void applyChanges(inverseOf(done), true)
        : undefined,
    discard,
  };
}
export type Board = ReturnType<typeof useBoard>;

const isWanted = (type: ChangeType | undefined, { user, project }: Pair): boolean =>
  type === undefined ? project.assigned_user_ids.includes(user) : type === 'add';

type CellsEntry = readonly [number, ReadonlyMap<number, ChangeType>];
const withoutEmpty = (cells: Cells, change: (entry: CellsEntry) => CellsEntry): Cells =>
  new Map([...cells].map(change).filter(([, types]) => types.size > 0));
