import { useState } from 'react';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { LinkHandover } from './handover.tsx';
import { invitationMessages } from './invitation-messages.ts';
import { userMessages } from './messages.ts';
import { OneTimePasswords } from './one-time-passwords.tsx';
import {
  deleteUser,
  type GivenPassword,
  resetPassword,
  type SentLink,
  sendLink,
  setStatus,
  switchOffTotp,
  type User,
  unlinkIdentity,
  usersChanged,
} from './user-queries.ts';
import { UserWork } from './user-work.tsx';

const messages = { ...userMessages, ...invitationMessages };

export type UserAction = 'reset' | 'invite' | 'link' | 'deactivate' | 'delete' | 'totp' | 'unlink';
/** Actions that delete nothing. */
const harmless: ReadonlySet<UserAction> = new Set(['reset', 'invite', 'link']);
type Props = { user: User; action: UserAction; onClose: () => void; onDeleted?: () => void };

/** Explains and confirms an action on a user. */
export function UserDialog({ user, action, onClose, onDeleted = onClose }: Props) {
  const t = useTexts(messages);
  const [password, setPassword] = useState<GivenPassword>();
  const [sent, setSent] = useState<SentLink>();
  const name = user.display_name;
  const running = useAction(async () => {
    if (action === 'reset') return setPassword(await resetPassword(user.id));
    if (action === 'invite' || action === 'link') return setSent(await sendLink(user.id, action));
    if (action === 'delete') {
      await deleteUser(user.id);
      toast({ text: t('was_deleted', { name }) });
      onDeleted();
      return usersChanged();
    }
    if (action === 'totp') await switchOffTotp(user.id);
    else if (action === 'unlink') await unlinkIdentity(user.id);
    else await setStatus(user, 'inactive');
    toast({ text: t(action === 'deactivate' ? 'was_inactive' : `was_${action}`, { name }) });
    onClose();
  });
  if (password !== undefined)
    return (
      <Dialog title={t('reset')} isOpen>
        <OneTimePasswords entries={[password]} onClose={onClose} />
      </Dialog>
    );
  if (sent !== undefined)
    return (
      <Dialog title={t(action)} isOpen>
        <LinkHandover sent={sent} onClose={onClose} />
      </Dialog>
    );
  return (
    <ConfirmDialog
      title={t(`${action}_title`, { name })}
      label={t(action)}
      look={harmless.has(action) ? 'primary' : 'danger'}
      action={running}
      onConfirm={running.run}
      onClose={onClose}
    >
      <p>{t(`${action}_why`)}</p>
      {action === 'delete' && <UserWork id={user.id} />}
    </ConfirmDialog>
  );
}
