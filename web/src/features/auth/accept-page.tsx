import { type FormEvent, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '../../lib/api.ts';
import { fieldProblem, isAtFields, useProblem } from '../../lib/problem.ts';
import { session, useSession } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { href } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from './auth.module.css';
import { linkMessages } from './link-messages.ts';
import { authMessages } from './messages.ts';
import { PasswordField } from './password-field.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { StrangerPage } from './stranger-page.tsx';

type Given = { token: string; purpose: 'invitation' | 'password_reset' };

/** What the link says. Its token does not stay in the address, which the browser keeps in its history. */
function useLink(): Given | undefined {
  const [given, setGiven] = useState(readLink);
  useEffect(() => {
    const take = () => {
      const link = readLink();
      if (link === undefined) return;
      setGiven(link);
      history.replaceState(history.state, '', location.pathname);
    };
    take();
    window.addEventListener('hashchange', take); // another link, opened in the same tab
    return () => window.removeEventListener('hashchange', take);
  }, []);
  return given;
}

function readLink(): Given | undefined {
  const values = new URLSearchParams(location.hash.slice(1));
  const token = values.get('token') ?? '';
  if (token === '') return undefined;
  return { token, purpose: values.get('for') === 'invitation' ? 'invitation' : 'password_reset' };
}

/** Where the link of an invitation or of a reset leads: its holder chooses the password. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function AcceptPage() {
  const t = useTexts(linkMessages);
  const given = useLink();
  const [done, setDone] = useState<{ username: string; token: string }>();
  if (given === undefined)
    return (
      <StrangerPage title={t('no_token_title')} links={['signIn', 'forgotPassword']}>
        <p>{t('no_token')}</p>
      </StrangerPage>
    );
  if (done?.token === given.token) return <SignIn username={done.username} />;
  return <Choose key={given.token} given={given} onDone={(username) => setDone({ username, token: given.token })} />;
}

function Choose({ given: { token, purpose }, onDone }: { given: Given; onDone: (username: string) => void }) {
  const t = useTexts(linkMessages);
  const auth = useTexts(authMessages);
  const problem = useProblem();
  const [password, setPassword] = useState('');
  const { run, isRunning, error } = useAction(async () => {
    const { data } = await api.post('/api/auth/accept', { body: { token, password } });
    if (session.get().account?.username === data.username) session.leave(); // that sign-in has ended
    onDone(data.username);
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    void run();
  }
  if (fieldProblem(error, 'token') !== undefined)
    return (
      <StrangerPage title={t('invalid_title')} links={['signIn', 'forgotPassword', 'contact']}>
        <Notice kind="error">{t('invalid')}</Notice>
      </StrangerPage>
    );
  return (
    <StrangerPage title={t(`${purpose}_title`)} intro={t(`${purpose}_how`)} links={['signIn']}>
      <form className={styles.form} onSubmit={submit} noValidate>
        {error !== undefined && !isAtFields(error, ['password']) && <Notice kind="error">{problem(error)}</Notice>}
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
      </form>
    </StrangerPage>
  );
}

/** Signing in is asked for, because a second factor may be needed, and so that the browser can save the password. */
function SignIn({ username }: { username: string }) {
  const t = useTexts(linkMessages);
  const [, navigate] = useLocation();
  const { account } = useSession();
  useEffect(() => {
    if (account?.username === username) navigate(href('today'));
  }, [account, username, navigate]);
  return (
    <StrangerPage title={t('done_title')} intro={t('done_how', { name: username })} links={['signIn']}>
      {account === undefined ? (
        <SignInForm username={username} />
      ) : (
        <Notice kind="error">{t('other_person', { name: account.display_name })}</Notice>
      )}
    </StrangerPage>
  );
}
