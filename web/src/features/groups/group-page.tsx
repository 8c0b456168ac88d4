import { ChartColumn, Ellipsis, ListChecks, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { NoPage } from '../../frame/no-page.tsx';
import { isApiError } from '../../lib/api.ts';
import { commonMessages } from '../../lib/messages.ts';
import { useProblem } from '../../lib/problem.ts';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page, Skeleton } from '../../ui/page.tsx';
import { toast } from '../../ui/toast.tsx';
import { AddMembers } from './add-members.tsx';
import { DeleteGroup } from './delete-group.tsx';
import { type GroupDetail, groupsChanged, useGroup } from './group-queries.ts';
import { Members } from './members.tsx';
import { groupMessages } from './messages.ts';
import { NameDialog } from './name-dialog.tsx';

/** A group's members, with links to assign projects to them and to their progress. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function GroupPage({ id }: { id: number }) {
  const common = useTexts(commonMessages);
  const problem = useProblem();
  const { data: group, error } = useGroup(id);
  if (!Number.isInteger(id) || isApiError(error, 'RESOURCE_NOT_FOUND')) return <NoPage />;
  if (group !== undefined) return <Content group={group} />;
  if (error === null) return <Skeleton label={common('loading')} lines={8} />;
  return <Notice kind="error">{problem(error)}</Notice>;
}

type Open = 'add' | 'rename' | 'delete';

function Content({ group }: { group: GroupDetail }) {
  const t = useTexts(groupMessages);
  const [, navigate] = useLocation();
  const [open, setOpen] = useState<Open>();
  const { id, name } = group;
  const close = () => setOpen(undefined);
  const add = (
    <Button look="primary" icon={<UserPlus size={18} />} onPress={() => setOpen('add')}>
      {t('add')}
    </Button>
  );
  const actions = (
    <>
      {add}
      <LinkButton href={`${href('assign')}?group=${id}`} icon={<ListChecks size={18} />}>
        {t('assign')}
      </LinkButton>
      <LinkButton href={`${href('students')}?group_id=${id}`} icon={<ChartColumn size={18} />}>
        {t('progress')}
      </LinkButton>
      <Menu
        label={t('actions', { name })}
        trigger={{ 'aria-label': t('actions', { name }), icon: <Ellipsis size={20} /> }}
        entries={[
          { id: 'rename', text: t('rename') },
          { id: 'delete', text: t('delete') },
        ]}
        onAction={(action) => setOpen(action as Open)} // one of the entries
      />
    </>
  );
  return (
    <Page title={name} actions={actions}>
      <Members group={group} />
      {open === 'add' && <AddMembers group={group} onClose={close} />}
      {open === 'rename' && <NameDialog group={group} onClose={close} onSaved={close} />}
      {open === 'delete' && (
        <DeleteGroup
          group={group}
          onClose={close}
          onDeleted={() => {
            navigate(href('groups'));
            toast({ text: t('was_deleted', { name }) });
            void groupsChanged();
          }}
        />
      )}
    </Page>
  );
}
