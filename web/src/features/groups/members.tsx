import { UserPlus, X } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { useProblem } from '../../lib/problem.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import { href } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import table from '../../ui/data-table.module.css';
import { Loading } from '../../ui/loading.tsx';
import { Problem } from '../../ui/notice.tsx';
import { Card, Empty } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { PeopleTable, type PersonColumn } from '../../ui/people-table.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { toast } from '../../ui/toast.tsx';
import type { Student } from '../progress/progress-queries.ts';
import { SelectionBar } from '../progress/selection-bar.tsx';
import { readColumns } from '../progress/student-columns.ts';
import { type ListFilter, useStudentList } from '../progress/student-list.ts';
import { StudentRows } from '../progress/student-rows.tsx';
import { AddMembers } from './add-members.tsx';
import { changeMembers, type GroupDetail, type Member } from './group-queries.ts';
import styles from './groups.module.css';
import { groupMessages } from './messages.ts';

/** Larger groups have a search field. */
const searchThreshold = 10;
const columns = readColumns('');

/** The table of all students for those of a class; below them its members who cannot sign in. */
export function Members({ group, onAdded }: { group: GroupDetail; onAdded: () => void }) {
  const { id, name, members } = group;
  const [isAdding, setAdding] = useState(false);
  const t = useTexts(groupMessages);
  const list = useRef<HTMLElement>(null);
  return (
    <>
      <div className={styles.head}>
        <p>{t('count', { count: members.length })}</p>
        <Button icon={<UserPlus size={18} />} onPress={() => setAdding(true)}>
          {t('add')}
        </Button>
      </div>
      {isAdding && (
        <AddMembers
          group={group}
          onClose={() => {
            setAdding(false);
            onAdded();
          }}
        />
      )}
      {members.length === 0 ? (
        <Card>
          <Empty>{t('nobody')}</Empty>
        </Card>
      ) : (
        // keeps the keyboard focus in the list
        <section ref={list} tabIndex={-1} aria-label={t('members')}>
          <Students id={id} name={name} count={members.length} onRemoved={() => list.current?.focus()} />
          <Deactivated group={group} onRemoved={() => list.current?.focus()} />
        </section>
      )}
    </>
  );
}

type StudentsProps = { id: number; name: string; count: number; onRemoved: () => void };

function Students({ id, name, count, onRemoved }: StudentsProps) {
  const t = useTexts(groupMessages);
  const [picked, setPicked] = useState<ReadonlySet<number>>(new Set());
  const [page, setPage] = useState(1);
  const [filter, setFilter] = useState<Omit<ListFilter, 'group_id'>>(everybody);
  const search = useDebounced(filter.search, 200);
  const students = useStudentList({ ...filter, search, group_id: `${id}` }, page);
  const change = (changed: Partial<ListFilter>) => {
    setFilter({ ...filter, ...changed });
    setPage(1);
  };
  const latest = useRef(onRemoved);
  latest.current = onRemoved;
  const last = useMemo(
    (): PersonColumn<Student> => ({
      id: 'remove',
      text: '',
      place: 'act',
      className: table.end,
      cell: (student) => <Remove group={id} member={student} onRemoved={() => latest.current()} />,
    }),
    [id],
  );
  return (
    <>
      {count > searchThreshold && (
        <div className={styles.filters}>
          <SearchField
            label={t('search_members')}
            value={filter.search}
            onChange={(value) => change({ search: value })}
          />
        </div>
      )}
      <Loading of={students.read} lines={8} />
      {students.students?.length === 0 && filter.search !== '' && (
        <Card>
          <Empty>{t('no_member')}</Empty>
        </Card>
      )}
      {students.students !== undefined && students.students.length > 0 && (
        <StudentRows
          list={students}
          filter={{ ...filter, group_id: `${id}` }}
          columns={columns}
          picked={picked}
          onPick={setPicked}
          onSort={change}
          name={name}
          last={last}
        />
      )}
      <SelectionBar picked={picked} onClear={() => setPicked(new Set())} />
      <Pager label={t('members')} page={page} pages={students.pages} onChange={setPage} />
    </>
  );
}

const everybody = { search: '', project_id: '', state: '', sort: 'display_name', order: 'asc' } as const;

function Deactivated({ group: { id, members }, onRemoved }: { group: GroupDetail; onRemoved: () => void }) {
  const t = useTexts(groupMessages);
  const people = members.filter(({ status }) => status === 'inactive');
  if (people.length === 0) return null;
  return (
    <Card isFlush title={t('inactive')} context={t('count', { count: people.length })}>
      <PeopleTable
        label={t('inactive')}
        title={t('member')}
        people={people}
        whoIs={whoIs}
        columns={[
          { id: 'username', text: t('username'), place: 'state', className: table.muted, cell: (one) => one.username },
          {
            id: 'remove',
            text: '',
            place: 'act',
            className: table.end,
            cell: (member) => <Remove group={id} member={member} onRemoved={onRemoved} />,
          },
        ]}
      />
    </Card>
  );
}

const whoIs = ({ user_id: id, display_name: name }: Member) => ({ id, name, to: href('user', { id }) });

type RemoveProps = {
  group: number;
  member: Pick<Member, 'user_id' | 'display_name'>;
  onRemoved: () => void;
};

function Remove({ group, member, onRemoved }: RemoveProps) {
  const t = useTexts(groupMessages);
  const problem = useProblem();
  const { user_id: id, display_name: name } = member;
  const { run, isRunning, error } = useAction(async () => {
    await changeMembers(group, { remove: [id] });
    onRemoved();
    const undo = () => changeMembers(group, { add: [id] }).catch((failure) => toast({ text: problem(failure) }));
    toast({ text: t('was_removed', { name }), undo: () => void undo() });
  });
  return (
    <>
      <Button
        look="quiet"
        aria-label={t('remove', { name })}
        icon={<X size={18} />}
        isPending={isRunning}
        onPress={() => void run()}
      />
      <Problem error={error} />
    </>
  );
}
