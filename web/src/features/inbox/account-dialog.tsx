import { useState } from 'react';
import { useTexts } from '../../lib/texts.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Handover } from '../users/handover.tsx';
import { NewUserForm } from '../users/new-user-form.tsx';
import type { CreatedUser } from '../users/user-queries.ts';
import { inboxMessages } from './messages.ts';

type Props = {
  request: { id: number; name: string; email: string };
  onClose: () => void;
  /** The account exists, so the request is resolved. */
  onDone: () => void;
};

/** What a username may consist of, from the part of the address before the @. */
const suggest = (email: string) =>
  email
    .replace(/@.*/, '')
    .replace(/[^A-Za-z0-9_.-]/g, '')
    .slice(0, 32);

/** Makes the account that a request asks for, and shows its password the one time that it is known. */
export function AccountDialog({ request: { id, name, email }, onClose, onDone }: Props) {
  const t = useTexts(inboxMessages);
  const [given, setGiven] = useState<CreatedUser>();
  return (
    <Dialog title={t('make_account')} isOpen {...(given === undefined && { onClose })}>
      {given === undefined ? (
        <NewUserForm
          given={{ username: suggest(email), email, display_name: name, role: 'user' }}
          contactRequest={id}
          onCreated={setGiven}
          onCancel={onClose}
        />
      ) : (
        <Handover
          given={given}
          onClose={() => {
            onClose();
            onDone();
          }}
        />
      )}
    </Dialog>
  );
}
