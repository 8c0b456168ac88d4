import { type ReactNode, useCallback, useEffect, useMemo } from 'react';
import { cx } from '../../lib/cx.ts';
import { useTexts } from '../../lib/texts.ts';
import { Button } from '../../ui/button.tsx';
import { PickList } from '../../ui/pick-list.tsx';
import type { Row } from '../../ui/pick-row.tsx';
import styles from './assign.module.css';
import type { Project, Student } from './board-queries.ts';
import { type ClassRow, isClass, studentsOf, useClassRows } from './class-rows.ts';
import {
  type Filter,
  Nothing,
  ProjectFilters,
  StudentFilters,
  useOwners,
  useShownProjects,
  useShownStudents,
} from './filters.tsx';
import { assignMessages } from './messages.ts';
import type { Board } from './use-board.ts';

export type PaneProps = { board: Board; filter: Filter; change: (changed: Partial<Filter>) => void };

type ProjectPaneProps = PaneProps & { projects: readonly Project[]; students: readonly Student[] };

export function ProjectPane({ board, filter, change, projects, students }: ProjectPaneProps) {
  const t = useTexts(assignMessages);
  const owners = useOwners(students);
  const shown = useShownProjects(projects, filter, board.pickedIds, owners);
  const rowOf = useCallback(
    ({ name, assigned_user_ids, user_id, color }: Project): Row => ({
      name,
      hue: color,
      state: [owners.get(user_id), t('students_of', { count: assigned_user_ids.length })].filter(Boolean).join(' · '),
    }),
    [t, owners],
  );
  const asked = useShownStudents(students, filter);
  useEffect(() => {
    // A class may still be read when the first project is picked.
    if (filter.add === '' || board.isStaged || board.picked.length === 0 || asked.length === 0) return;
    board.stage(
      asked.map(({ id }) => id),
      'add',
    );
    change({ add: '' });
  });
  const isPicked = shown.length > 0 && shown.every(({ id }) => board.pickedIds.has(id));
  return (
    <section className={cx(styles.pane, styles.projects)}>
      <PaneHead title={t('projects')} note={t('picked_of', { count: board.picked.length, total: projects.length })} />
      <ProjectFilters filter={filter} change={change} />
      <PickList
        label={t('projects')}
        items={shown}
        picked={board.pickedIds}
        onPick={board.pick}
        rowOf={rowOf}
        isDisabled={board.progress !== undefined}
        empty={<Nothing of={['projects']} filter={filter} change={change} />}
      />
      <div className="buttons">
        <Button
          look="quiet"
          onPress={() =>
            board.pick(
              shown.map(({ id }) => id),
              !isPicked,
            )
          }
        >
          {isPicked ? t('pick_none') : t('pick_all', { count: shown.length })}
        </Button>
      </div>
    </section>
  );
}

/** Classes, then students with the number of picked projects they are in, now and after applying. */
export function StudentPane({ board, filter, change, students }: PaneProps & { students: readonly Student[] }) {
  const t = useTexts(assignMessages);
  const shown = useShownStudents(students, filter);
  const classes = useClassRows(students, filter);
  const { counts, wanted, picked, assigned } = board;
  const all = picked.length;
  const rowOf = useCallback(
    (row: ClassRow | Student): Row => {
      if (isClass(row)) {
        const { name, members } = row;
        const part = members.filter((id) => all > 0 && counts.get(id) === all).length;
        const next = members.filter((id) => assigned.has(id)).length;
        const count = members.length;
        return {
          name,
          isGroup: true,
          state: all === 0 ? t('students_of', { count }) : t('class_in', { part, count }),
          ...(next !== part && { wanted: t('class_will_be', { count: next }) }),
          isMixed: next < count && members.some((id) => (wanted.get(id) ?? counts.get(id) ?? 0) > 0),
        };
      }
      const { id, display_name } = row;
      const part = counts.get(id) ?? 0;
      const count = wanted.get(id);
      const next = count ?? part;
      return {
        name: display_name,
        state: all === 0 ? '' : t('in_of', { part, all }),
        ...(count !== undefined && { wanted: t('will_be_in', { count }) }),
        isMixed: next > 0 && next < all,
      };
    },
    [counts, wanted, assigned, all, t],
  );
  const items = useMemo(() => [...classes, ...shown], [classes, shown]);
  const assignedRows = useMemo(
    () =>
      new Set([
        ...assigned,
        ...classes.filter(({ members }) => members.every((id) => assigned.has(id))).map(({ id }) => id),
      ]),
    [assigned, classes],
  );
  const ids = () => shown.map(({ id }) => id);
  return (
    <section className={cx(styles.pane, styles.students)}>
      <PaneHead title={t('students')} note={t('shown_of', { count: shown.length, total: students.length })} />
      <StudentFilters filter={filter} change={change} />
      <PickList
        label={t('students')}
        items={items}
        picked={assignedRows}
        onPick={(ids, isOn) => board.toggle(studentsOf(ids, classes), isOn)}
        rowOf={rowOf}
        isDisabled={board.progress !== undefined}
        empty={<Nothing of={['students']} filter={filter} change={change} />}
      />
      <div className="buttons">
        <Button look="quiet" onPress={() => board.stage(ids(), 'add')}>
          {t('assign_all', { count: shown.length })}
        </Button>
        <Button look="quiet" onPress={() => board.stage(ids(), 'remove')}>
          {t('remove_all', { count: shown.length })}
        </Button>
      </div>
    </section>
  );
}

function PaneHead({ title, note }: { title: string; note: ReactNode }) {
  return (
    <div className={styles.head}>
      <h2>{title}</h2>
      <span>{note}</span>
    </div>
  );
}
