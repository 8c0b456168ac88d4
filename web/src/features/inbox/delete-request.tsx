import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { deleteRequest } from './inbox-queries.ts';
import { inboxMessages } from './messages.ts';

type DeleteProps = {
  request: { id: number; name: string; etag: string };
  onClose: () => void;
  onDeleted: () => void;
};

export function DeleteDialog({ request, onClose, onDeleted }: DeleteProps) {
  const t = useTexts(inboxMessages);
  const action = useAction(async () => {
    await deleteRequest(request);
    onClose();
    onDeleted();
  });
  return (
    <ConfirmDialog
      title={t('delete_title', { id: request.id })}
      label={t('delete')}
      action={action}
      onConfirm={action.run}
      onClose={onClose}
    >
      <p>{t('delete_why', { name: request.name })}</p>
    </ConfirmDialog>
  );
}
