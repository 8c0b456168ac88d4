import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '../../lib/api.ts';
import { fieldProblem } from '../../lib/problem.ts';
import { session, useSession } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { href } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice, Problem } from '../../ui/notice.tsx';
import { linkMessages } from './link-messages.ts';
import { authMessages } from './messages.ts';
import { PasswordField } from './password-field.tsx';
import { PublicPage } from './public-page.tsx';
import { SignInForm } from './sign-in-form.tsx';

type MailedLink = { token: string; purpose: 'invitation' | 'password_reset' };

/** The link's parameters. The token is removed from the URL to keep it out of the browser history. */
function useMailedLink(): MailedLink | undefined {
  const [link, setLink] = useState(readLink);
  useEffect(() => {
    const take = () => {
      const next = readLink();
      if (next === undefined) return;
      setLink(next);
      history.replaceState(history.state, '', location.pathname);
    };
    take();
    window.addEventListener('hashchange', take); // another link, opened in the same tab
    return () => window.removeEventListener('hashchange', take);
  }, []);
  return link;
}

function readLink(): MailedLink | undefined {
  const values = new URLSearchParams(location.hash.slice(1));
  const token = values.get('token') ?? '';
  if (token === '') return undefined;
  return { token, purpose: values.get('for') === 'invitation' ? 'invitation' : 'password_reset' };
}

/** Target of invitation and reset links: the user chooses a password. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function AcceptPage() {
  const t = useTexts(linkMessages);
  const link = useMailedLink();
  const [done, setDone] = useState<{ username: string; token: string }>();
  if (link === undefined)
    return (
      <PublicPage title={t('no_token_title')} links={['signIn', 'forgotPassword']}>
        <p>{t('no_token')}</p>
      </PublicPage>
    );
  if (done?.token === link.token) return <SignIn username={done.username} />;
  return (
    <ChoosePassword key={link.token} link={link} onDone={(username) => setDone({ username, token: link.token })} />
  );
}

type ChooseProps = { link: MailedLink; onDone: (username: string) => void };

function ChoosePassword({ link: { token, purpose }, onDone }: ChooseProps) {
  const t = useTexts(linkMessages);
  const auth = useTexts(authMessages);
  const [password, setPassword] = useState('');
  const { run, isRunning, error } = useAction(async () => {
    const { data } = await api.post('/api/auth/accept', { body: { token, password } });
    if (session.get().account?.username === data.username) session.leave(); // that sign-in has ended
    onDone(data.username);
  });
  if (fieldProblem(error, 'token') !== undefined)
    return (
      <PublicPage title={t('invalid_title')} links={['signIn', 'forgotPassword', 'contact']}>
        <Notice kind="error">{t('invalid')}</Notice>
      </PublicPage>
    );
  return (
    <PublicPage title={t(`${purpose}_title`)} intro={t(`${purpose}_how`)} links={['signIn']}>
      <Form className="stack" onSave={() => run()}>
        <Problem error={error} besides={['password']} />
        <PasswordField
          isNew
          autoFocus
          label={auth('new_password')}
          hint={auth('new_password_hint')}
          value={password}
          onChange={setPassword}
          error={fieldProblem(error, 'password')}
        />
        <Button type="submit" look="primary" wide isPending={isRunning} isDisabled={password === ''}>
          {t('set')}
        </Button>
      </Form>
    </PublicPage>
  );
}

/** Signing in is a separate step: a second factor may be needed, and the browser can save the password. */
function SignIn({ username }: { username: string }) {
  const t = useTexts(linkMessages);
  const [, navigate] = useLocation();
  const { account } = useSession();
  useEffect(() => {
    if (account?.username === username) navigate(href('today'));
  }, [account, username, navigate]);
  return (
    <PublicPage title={t('done_title')} intro={t('done_how', { name: username })} links={['signIn']}>
      {account === undefined ? (
        <SignInForm username={username} />
      ) : (
        <Notice kind="error">{t('other_person', { name: account.display_name })}</Notice>
      )}
    </PublicPage>
  );
}
