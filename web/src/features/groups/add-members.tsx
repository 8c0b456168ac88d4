import { useMemo, useState } from 'react';
import { commonMessages } from '../../lib/messages.ts';
import { fieldProblem, useProblem } from '../../lib/problem.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/page.tsx';
import { PickPeople } from '../../ui/pick-people.tsx';
import { toast } from '../../ui/toast.tsx';
import { useStudents } from '../assignments/board-queries.ts';
import { changeMembers, type GroupDetail } from './group-queries.ts';
import styles from './groups.module.css';
import { groupMessages } from './messages.ts';

/** Picks students who are not in the group yet. */
export function AddMembers({ group: { id, name, members }, onClose }: { group: GroupDetail; onClose: () => void }) {
  const t = useTexts(groupMessages);
  const common = useTexts(commonMessages);
  const problem = useProblem();
  const students = useStudents();
  const [picked, setPicked] = useState<ReadonlySet<number>>(new Set());
  const others = useMemo(() => {
    const memberIds = new Set(members.map((member) => member.user_id));
    return students.data?.filter((student) => !memberIds.has(student.id));
  }, [students.data, members]);
  const { run, isRunning, error } = useAction(async () => {
    const ids = [...picked];
    await changeMembers(id, { add: ids });
    onClose();
    const undo = () => changeMembers(id, { remove: ids }).catch((failure) => toast({ text: problem(failure) }));
    toast({ text: t('were_added', { count: ids.length }), action: { text: t('undo'), run: () => void undo() } });
  });
  return (
    <Dialog title={t('add_title', { name })} isOpen onClose={onClose}>
      {students.error !== null && <Notice kind="error">{problem(students.error)}</Notice>}
      {error !== undefined && <Notice kind="error">{fieldProblem(error, 'add') ?? problem(error)}</Notice>}
      {others === undefined && students.error === null && <Skeleton label={common('loading')} lines={6} />}
      {others?.length === 0 && <p>{t('all_here')}</p>}
      {others !== undefined && others.length > 0 && (
        <PickPeople label={t('students')} people={others} picked={picked} onPick={setPicked} />
      )}
      <div className={styles.buttons}>
        <Button look="primary" isDisabled={picked.size === 0} isPending={isRunning} onPress={() => void run()}>
          {picked.size === 0 ? t('add') : t('add_count', { count: picked.size })}
        </Button>
        <Button onPress={onClose}>{common('cancel')}</Button>
      </div>
    </Dialog>
  );
}
