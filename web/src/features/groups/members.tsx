import { UserPlus, X } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { collatorOf } from '../../lib/collator.ts';
import { useProblem } from '../../lib/problem.ts';
import { useSettings } from '../../lib/settings.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { href } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import table from '../../ui/data-table.module.css';
import { Notice } from '../../ui/notice.tsx';
import { Card, Empty } from '../../ui/page.tsx';
import { PeopleTable } from '../../ui/people-table.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { toast } from '../../ui/toast.tsx';
import { AddMembers } from './add-members.tsx';
import { changeMembers, type GroupDetail, type Member } from './group-queries.ts';
import styles from './groups.module.css';
import { groupMessages } from './messages.ts';

/** Larger groups have a search field. */
const searchThreshold = 10;

export function Members({ group, onAdded }: { group: GroupDetail; onAdded: () => void }) {
  const { id, members } = group;
  const [isAdding, setAdding] = useState(false);
  const t = useTexts(groupMessages);
  const { locale } = useSettings();
  const [search, setSearch] = useState('');
  const list = useRef<HTMLElement>(null);
  const shown = useMemo(() => {
    const { compare } = collatorOf(locale);
    const wanted = search.trim().toLowerCase();
    return members
      .filter(({ display_name, username }) => `${display_name}\n${username}`.toLowerCase().includes(wanted))
      .sort((a, b) => compare(a.display_name, b.display_name));
  }, [members, search, locale]);
  return (
    <Card
      isFlush
      title={t('members')}
      context={t('count', { count: members.length })}
      actions={
        <Button look="primary" icon={<UserPlus size={18} />} onPress={() => setAdding(true)}>
          {t('add')}
        </Button>
      }
    >
      {isAdding && (
        <AddMembers
          group={group}
          onClose={() => {
            setAdding(false);
            onAdded();
          }}
        />
      )}
      {members.length === 0 && <Empty>{t('nobody')}</Empty>}
      {members.length > searchThreshold && (
        <div className={styles.filters}>
          <SearchField label={t('search_members')} value={search} onChange={setSearch} />
        </div>
      )}
      {members.length > 0 && shown.length === 0 && <Empty>{t('no_member')}</Empty>}
      {shown.length > 0 && (
        // keeps the keyboard focus in the list
        <section ref={list} tabIndex={-1} aria-label={t('members')}>
          <PeopleTable
            label={t('members')}
            title={t('member')}
            people={shown}
            whoIs={whoIs}
            columns={[
              {
                id: 'username',
                text: t('username'),
                place: 'state',
                className: table.muted,
                cell: (member) => member.username,
              },
              { id: 'status', text: '', place: 'side', cell: ({ status }) => status === 'inactive' && t('inactive') },
              {
                id: 'remove',
                text: '',
                place: 'corner',
                className: table.end,
                cell: (member) => <Remove group={id} member={member} onRemoved={() => list.current?.focus()} />,
              },
            ]}
          />
        </section>
      )}
    </Card>
  );
}

const whoIs = ({ user_id: id, display_name: name }: Member) => ({ id, name, to: href('user', { id }) });

function Remove({ group, member, onRemoved }: { group: number; member: Member; onRemoved: () => void }) {
  const t = useTexts(groupMessages);
  const problem = useProblem();
  const { user_id: id, display_name: name } = member;
  const { run, isRunning, error } = useAction(async () => {
    await changeMembers(group, { remove: [id] });
    onRemoved();
    const undo = () => changeMembers(group, { add: [id] }).catch((failure) => toast({ text: problem(failure) }));
    toast({ text: t('was_removed', { name }), action: { text: t('undo'), run: () => void undo() } });
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
      {error !== undefined && <Notice kind="error">{problem(error)}</Notice>}
    </>
  );
}
