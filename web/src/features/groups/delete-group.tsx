import { useState } from 'react';
import { isApiError } from '../../lib/api.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { deleteGroup, type GroupDetail, groupsChanged } from './group-queries.ts';
import { groupMessages } from './messages.ts';

type Props = { group: GroupDetail; onClose: () => void; onDeleted: () => void };

/** Confirms a deletion. If the group changed meanwhile, the current version is shown first. */
export function DeleteGroup({ group, onClose, onDeleted }: Props) {
  const t = useTexts(groupMessages);
  const [isChanged, setChanged] = useState(false);
  const action = useAction(async () => {
    try {
      await deleteGroup(group);
    } catch (failure) {
      if (!isApiError(failure, 'PRECONDITION_FAILED')) throw failure;
      await groupsChanged();
      return setChanged(true);
    }
    onDeleted();
  });
  return (
    <ConfirmDialog
      title={t('delete_title', { name: group.name })}
      label={t('delete')}
      action={action}
      onConfirm={action.run}
      onClose={onClose}
    >
      <p>
        {t('delete_why')} {t('count', { count: group.members_count })}
      </p>
      {isChanged && <Notice kind="error">{t('changed_meanwhile')}</Notice>}
    </ConfirmDialog>
  );
}
