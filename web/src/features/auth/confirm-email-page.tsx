import { useEffect, useState } from 'react';
import { api, readAccount } from '../../lib/api.ts';
import { fieldProblem } from '../../lib/problem.ts';
import { session } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Notice, Problem } from '../../ui/notice.tsx';
import { linkMessages } from './link-messages.ts';
import { PublicPage } from './public-page.tsx';

/** Target of the link that confirms a new e-mail address. It takes a button, because mail scanners open links. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function ConfirmEmailPage() {
  const t = useTexts(linkMessages);
  const [token] = useState(() => new URLSearchParams(location.search).get('token') ?? '');
  useEffect(() => history.replaceState(history.state, '', location.pathname), []); // keeps the token out of the history
  const { run, isRunning, isDone, error } = useAction(async () => {
    await api.post('/api/auth/email/confirm', { body: { token } });
    if (session.get().state === 'in') await readAccount().catch(() => undefined);
  });
  if (token === '')
    return (
      <PublicPage title={t('no_token_title')} links={['signIn']}>
        <p>{t('no_token')}</p>
      </PublicPage>
    );
  if (isDone)
    return (
      <PublicPage title={t('email_done_title')} links={['signIn']}>
        <Notice kind="success">{t('email_done')}</Notice>
      </PublicPage>
    );
  if (fieldProblem(error, 'token') !== undefined)
    return (
      <PublicPage title={t('invalid_title')} links={['signIn', 'contact']}>
        <Notice kind="error">{t('invalid')}</Notice>
      </PublicPage>
    );
  return (
    <PublicPage title={t('email_title')} intro={t('email_how')} links={['signIn']}>
      <Problem error={error} />
      <Button look="primary" wide isPending={isRunning} onPress={() => void run()}>
        {t('confirm')}
      </Button>
    </PublicPage>
  );
}
