import { useState } from 'react';
import { useTexts } from '../../lib/texts.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Handover } from '../users/handover.tsx';
import { NewUserForm } from '../users/new-user-form.tsx';
import type { CreatedUser } from '../users/user-queries.ts';
import { inboxMessages } from './messages.ts';

type Props = {
  request: { id: number; name: string; email: string; message: string };
  onClose: () => void;
  /** Called when the account exists, which resolves the request. */
  onDone: () => void;
};

/** A username from the part before the @, without characters that are not allowed. */
export const suggestUsername = (email: string) =>
  email
    .replace(/@.*/, '')
    .replace(/[^A-Za-z0-9_.-]/g, '')
    .slice(0, 32);

/** Creates the requested account and shows its one-time password. */
export function AccountDialog({ request: { id, name, email, message }, onClose, onDone }: Props) {
  const t = useTexts(inboxMessages);
  const [created, setCreated] = useState<CreatedUser>();
  return (
    <Dialog title={t('make_account')} isOpen {...(created === undefined && { onClose })}>
      {created === undefined ? (
        <NewUserForm
          initial={{ username: suggestUsername(email), email, display_name: name, role: 'user' }}
          contactRequest={id}
          hasClass
          said={message}
          onCreated={setCreated}
          onCancel={onClose}
        />
      ) : (
        <Handover
          created={created}
          onClose={() => {
            onClose();
            onDone();
          }}
        />
      )}
    </Dialog>
  );
}
