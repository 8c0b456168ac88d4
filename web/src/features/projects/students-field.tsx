import { useMemo, useState } from 'react';
import { useTexts } from '../../lib/texts.ts';
import { Loading } from '../../ui/loading.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PickPeople } from '../../ui/pick-people.tsx';
import { type Student, useGroups, useMembersOf, useStudents } from '../assignments/board-queries.ts';
import { useClassRows } from '../assignments/class-rows.ts';
import { defaults } from '../assignments/filters.tsx';
import { GroupFilter } from '../assignments/group-filter.tsx';
import { projectMessages } from './messages.ts';
import styles from './projects.module.css';

const nobody: readonly Student[] = [];

type Props = { picked: readonly number[]; onPick: (ids: number[]) => void; error: string | undefined };

/** The students to whom a new project is assigned, classes first, with search and group filter. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function StudentsField({ picked, onPick, error }: Props) {
  const t = useTexts(projectMessages);
  const [group, setGroup] = useState('');
  const read = useStudents();
  const { data: students } = read;
  const { data: groups = [] } = useGroups();
  const { data: members } = useMembersOf(group);
  const people = useMemo(
    () => students?.filter(({ id }) => group === '' || members?.has(id) === true),
    [students, members, group],
  );
  const classes = useClassRows(students ?? nobody, { ...defaults, group });
  const ids = useMemo(() => new Set(picked), [picked]);
  return (
    <fieldset className={styles.students}>
      <legend>{t('students')}</legend>
      <p>{t('students_hint')}</p>
      <Loading of={read} lines={6} />
      {people !== undefined && (
        <PickPeople
          label={t('students')}
          people={people}
          picked={ids}
          onPick={(next) => onPick([...next])}
          groups={classes}
          filter={groups.length > 0 && <GroupFilter value={group} onChange={setGroup} />}
        />
      )}
      {error !== undefined && <Notice kind="error">{picked.length === 0 ? t('choose_students') : error}</Notice>}
    </fieldset>
  );
}
