import { useEffect, useState } from 'react';
import { api, readAccount } from '../../lib/api.ts';
import { fieldProblem } from '../../lib/problem.ts';
import { session } from '../../lib/session.ts';
import { type Catalogue, useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Notice, Problem } from '../../ui/notice.tsx';
import { PublicPage } from './public-page.tsx';

const messages = {
  title: { en: 'Stop these mails?', zh: '退订此类邮件？' },
  how: { en: 'You can choose them again in the settings of your account.', zh: '之后可在账号设置中重新开启。' },
  stop: { en: 'Stop these mails', zh: '退订' },
  done_title: { en: 'You will not get these mails any more', zh: '已退订，不会再收到此类邮件' },
  invalid_title: { en: 'This link is not valid', zh: '链接无效' },
  invalid: {
    en: 'Sign in and switch the mails off in the settings of your account.',
    zh: '请登录后在账号设置中关闭邮件提醒。',
  },
} as const satisfies Catalogue;

/** Target of the link in mails that a user chose. It takes a button, because mail scanners open links. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function UnsubscribePage() {
  const t = useTexts(messages);
  const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get('token') ?? '');
  useEffect(() => history.replaceState(history.state, '', location.pathname), []);
  const { run, isRunning, isDone, error } = useAction(async () => {
    await api.post('/api/mail/unsubscribe', { query: { token } });
    if (session.get().state === 'in') await readAccount().catch(() => undefined);
  });
  if (isDone)
    return (
      <PublicPage title={t('done_title')} links={['signIn']}>
        <Notice kind="success">{t('how')}</Notice>
      </PublicPage>
    );
  if (token === '' || fieldProblem(error, 'token') !== undefined)
    return (
      <PublicPage title={t('invalid_title')} links={['signIn']}>
        <Notice kind="error">{t('invalid')}</Notice>
      </PublicPage>
    );
  return (
    <PublicPage title={t('title')} intro={t('how')} links={['signIn']}>
      <Problem error={error} />
      <Button look="primary" wide isPending={isRunning} onPress={() => void run()}>
        {t('stop')}
      </Button>
    </PublicPage>
  );
}
