import { KeyRound, Mail } from 'lucide-react';
import { useState } from 'react';
import { changed } from '../../lib/freshness.ts';
import { shortcuts, useShortcuts } from '../../lib/shortcuts.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { useMail } from '../../lib/use-meta.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/notice.tsx';
import { LinkHandover } from '../users/handover.tsx';
import { OneTimePasswords } from '../users/one-time-passwords.tsx';
import { type GivenPassword, resetPassword, type SentLink, sendLink } from '../users/user-queries.ts';
import { KeyHint } from './inbox-keys.tsx';
import { inboxMessages } from './messages.ts';
import styles from './request-detail.module.css';

type Props = {
  request: number;
  user: number;
  /** Whether the request is to be answered; a password that was given is shown all the same. */
  isOpen: boolean;
  /** Resolves the request, and opens the next one. */
  onResolve: () => void;
  /** Giving a password has resolved it. */
  onDone: () => void;
};

/** What answers who has forgotten the password: a link, or a password for one sign-in. */
export function ResetButtons({ request, user, isOpen, onResolve, onDone }: Props) {
  const t = useTexts(inboxMessages);
  const [sent, setSent] = useState<SentLink>();
  const [password, setPassword] = useState<GivenPassword>();
  const link = useAction(async () => setSent(await sendLink(user, 'link')));
  const reset = useAction(async () => {
    setPassword(await resetPassword(user, request));
    await changed('requests');
  });
  const linkText = useMail() === true ? 'send_link' : 'create_link';
  useShortcuts(isOpen ? { [shortcuts.account]: () => void link.run() } : {});
  const error = link.error ?? reset.error;
  return (
    <>
      <Problem error={error} />
      {isOpen && (
        <div className={styles.buttons}>
          <Button
            look="primary"
            icon={<Mail size={18} strokeWidth={1.75} />}
            isPending={link.isRunning}
            onPress={() => void link.run()}
          >
            {t(linkText)}
            <KeyHint of="account" />
          </Button>
          <Button
            icon={<KeyRound size={18} strokeWidth={1.75} />}
            isPending={reset.isRunning}
            onPress={() => void reset.run()}
          >
            {t('set_password')}
          </Button>
        </div>
      )}
      {sent !== undefined && (
        <Dialog title={t(linkText)} isOpen>
          <LinkHandover
            sent={sent}
            onClose={() => {
              setSent(undefined);
              onResolve();
            }}
          />
        </Dialog>
      )}
      {password !== undefined && (
        <Dialog title={t('set_password')} isOpen>
          <OneTimePasswords
            entries={[password]}
            onClose={() => {
              setPassword(undefined);
              onDone();
            }}
          />
        </Dialog>
      )}
    </>
  );
}
