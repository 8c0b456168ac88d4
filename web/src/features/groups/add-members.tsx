import { UserRoundX } from 'lucide-react';
import { useMemo, useState } from 'react';
import { commonMessages } from '../../lib/messages.ts';
import { fieldProblem, useProblem } from '../../lib/problem.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { FilterChip } from '../../ui/filter-chip.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PickPeople } from '../../ui/pick-people.tsx';
import { toast } from '../../ui/toast.tsx';
import { type Student, useStudents } from '../assignments/board-queries.ts';
import { useEveryone } from '../progress/everyone.ts';
import { changeMembers, type GroupDetail } from './group-queries.ts';
import { groupMessages } from './messages.ts';

/** Picks students who are not in the class yet: all, those in no class, or those of a pasted list of names. */
export function AddMembers({ group: { id, name, members }, onClose }: { group: GroupDetail; onClose: () => void }) {
  const t = useTexts(groupMessages);
  const common = useTexts(commonMessages);
  const problem = useProblem();
  const students = useStudents();
  const everyone = useEveryone('').data?.students;
  const [isOnlyFree, setOnlyFree] = useState(false);
  const [pasted, setPasted] = useState('');
  const [picked, setPicked] = useState<ReadonlySet<number>>(new Set());
  const others = useMemo(() => {
    const memberIds = new Set(members.map((member) => member.user_id));
    return students.data?.filter((student) => !memberIds.has(student.id));
  }, [students.data, members]);
  const free = useMemo(() => {
    const ids = everyone?.filter(({ groups }) => groups.length === 0).map(({ user_id }) => user_id);
    return ids && new Set(ids);
  }, [everyone]);
  const { run, isRunning, error } = useAction(async () => {
    const ids = [...picked];
    await changeMembers(id, { add: ids });
    onClose();
    const undo = () => changeMembers(id, { remove: ids }).catch((failure) => toast({ text: problem(failure) }));
    toast({ text: t('were_added', { count: ids.length }), undo: () => void undo() });
  });
  const { found, unknown } = findPasted(pasted, others ?? []);

  function paste(text: string): void {
    setPasted(text);
    const next = new Set(picked);
    for (const student of found) next.delete(student);
    for (const student of findPasted(text, others ?? []).found) next.add(student);
    setPicked(next);
  }

  return (
    <Dialog title={t('add_title', { name })} isOpen onClose={onClose}>
      <Loading of={students} lines={6} />
      {error !== undefined && <Notice kind="error">{fieldProblem(error, 'add') ?? problem(error)}</Notice>}
      {others?.length === 0 && <p>{t('all_here')}</p>}
      {others !== undefined && others.length > 0 && (
        <>
          <PickPeople
            label={t('students')}
            people={isOnlyFree && free !== undefined ? others.filter((student) => free.has(student.id)) : others}
            picked={picked}
            onPick={setPicked}
            filter={
              free !== undefined && (
                <FilterChip
                  Icon={UserRoundX}
                  text={t('in_no_class')}
                  count={others.filter((student) => free.has(student.id)).length}
                  isOn={isOnlyFree}
                  onChange={setOnlyFree}
                />
              )
            }
          />
          <Field
            label={t('paste_names')}
            rows={3}
            value={pasted}
            onChange={paste}
            {...(pasted !== '' && { hint: t('pasted_found', { count: found.length }) })}
            error={unknown.length === 0 ? undefined : t('pasted_unknown', { names: unknown.slice(0, 10).join(', ') })}
          />
        </>
      )}
      <div className="buttons">
        <Button look="primary" isDisabled={picked.size === 0} isPending={isRunning} onPress={() => void run()}>
          {picked.size === 0 ? t('add') : t('add_count', { count: picked.size })}
        </Button>
        <Button onPress={onClose}>{common('cancel')}</Button>
      </div>
    </Dialog>
  );
}

/** The students of a pasted list, one a line: names, usernames or e-mail addresses, in any cell of the line. */
function findPasted(text: string, students: readonly Student[]): { found: number[]; unknown: string[] } {
  const known = new Map(
    students.flatMap(({ id, display_name, username, email }) =>
      [display_name, username, email].map((name) => [name.toLowerCase(), id] as const),
    ),
  );
  const lines = text.split('\n').map((line) => line.trim());
  const matches = lines
    .filter((line) => line !== '')
    .map((line) => {
      const cells = line.toLowerCase().split(/[\t,;<>]/);
      return { line, id: cells.map((cell) => known.get(cell.trim())).find((id) => id !== undefined) };
    });
  return {
    found: matches.flatMap(({ id }) => id ?? []),
    unknown: matches.flatMap(({ line, id }) => (id === undefined ? [line] : [])),
  };
}
