import { session, useSession } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { authMessages } from './messages.ts';
import { SignInForm } from './sign-in-form.tsx';

/** When a sign-in expires, the user signs in again in a dialog; input on the page is preserved. */
export function SignInDialog() {
  const t = useTexts(authMessages);
  const { state, account } = useSession();
  if (account === undefined) return null;
  return (
    <Dialog title={t('expired_title')} isOpen={state === 'expired'}>
      <p>{t('expired')}</p>
      <SignInForm username={account.username} />
      <Button look="quiet" onPress={session.leave}>
        {t('other_person')}
      </Button>
    </Dialog>
  );
}
