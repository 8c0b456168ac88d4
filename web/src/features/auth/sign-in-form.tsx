import { useRef, useState } from 'react';
import { isApiError, signIn } from '../../lib/api.ts';
import { formatClock } from '../../lib/format.ts';
import { pageMeta } from '../../lib/page-meta.ts';
import { useProblem } from '../../lib/problem.ts';
import { session } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { useCountdown } from '../../lib/use-countdown.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice, Problem } from '../../ui/notice.tsx';
import styles from './auth.module.css';
import { authMessages } from './messages.ts';
import { oneTimePassword } from './one-time-password.ts';
import { CodeField, PasswordField } from './password-field.tsx';
import { beginSingleSignOn, passwordsAreOff } from './single-sign-on.ts';

const providerName = pageMeta('single-sign-on');

/** The ways to sign in that the settings of the service allow. */
export function SignInForm({ username }: { username?: string }) {
  const [keepSignedIn, setKeepSignedIn] = useState(false);
  const keep = { keepSignedIn, setKeepSignedIn };
  return (
    <>
      {providerName !== undefined && <ProviderButton name={providerName} {...keep} />}
      {!passwordsAreOff && <PasswordForm {...(username !== undefined && { username })} {...keep} />}
    </>
  );
}

type Keep = { keepSignedIn: boolean; setKeepSignedIn: (keep: boolean) => void };

/** The check box of the form for passwords, where there is one, is also that of the provider. */
function ProviderButton({ name, keepSignedIn, setKeepSignedIn }: Keep & { name: string }) {
  const t = useTexts(authMessages);
  const { run, isRunning, error } = useAction(() => beginSingleSignOn(keepSignedIn));
  return (
    <>
      <Problem error={error} />
      {passwordsAreOff && (
        <Checkbox isSelected={keepSignedIn} onChange={setKeepSignedIn}>
          {t('keep')}
        </Checkbox>
      )}
      <Button look={passwordsAreOff ? 'primary' : 'plain'} wide isPending={isRunning} onPress={() => void run()}>
        {t('provider', { name: name === '' ? t('provider_name') : name })}
      </Button>
    </>
  );
}

/** A link or a QR code may name the user. */
const named = (): string | undefined => new URLSearchParams(location.search).get('username')?.slice(0, maxName);
const maxName = 254;

/** Name and password; the second factor is requested if the account has one. */
function PasswordForm({ username: given, keepSignedIn, setKeepSignedIn }: Keep & { username?: string }) {
  const t = useTexts(authMessages);
  const problem = useProblem();
  const [known] = useState(() => given ?? named());
  const [username, setUsername] = useState(known ?? '');
  const [password, setPassword] = useState('');
  const [otp, setOtp] = useState('');
  const [needsCode, setNeedsCode] = useState(false);
  const [wasSubmitted, setSubmitted] = useState(false);
  const passwordInput = useRef<HTMLInputElement>(null);
  const nameInput = useRef<HTMLInputElement>(null);

  const { run, isRunning, error } = useAction(async () => {
    oneTimePassword.keep(password);
    try {
      await signIn({
        username: username.trim(),
        password,
        keep_signed_in: keepSignedIn,
        ...(otp !== '' && { otp: otp.trim() }),
      });
      if (session.get().account?.must_change_password !== true) oneTimePassword.forget();
    } catch (failure) {
      oneTimePassword.forget();
      if (!isApiError(failure, 'OTP_REQUIRED')) throw failure;
      setNeedsCode(true);
    }
  });

  const seconds = useCountdown(error);

  function submit(): void {
    if (seconds > 0) return;
    setSubmitted(true);
    if (username.trim() === '') nameInput.current?.focus();
    else if (password === '') passwordInput.current?.focus();
    else void run();
  }

  const missing = (value: string) => (wasSubmitted && value.trim() === '' ? t('required') : undefined);
  return (
    <Form className="stack" onSave={submit}>
      {error !== undefined && <Notice kind="error">{problem(error, true)}</Notice>}
      <Field
        label={t('name')}
        value={username}
        onChange={setUsername}
        autoComplete="username"
        maxLength={maxName}
        autoFocus={known === undefined}
        isReadOnly={known !== undefined}
        error={missing(username)}
        inputRef={nameInput}
      />
      <PasswordField
        label={t('password')}
        value={password}
        onChange={setPassword}
        autoFocus={known !== undefined}
        error={wasSubmitted && password === '' ? t('required') : undefined}
        inputRef={passwordInput}
      />
      {needsCode && <CodeField label={t('code')} hint={t('code_hint')} value={otp} onChange={setOtp} autoFocus />}
      <Checkbox isSelected={keepSignedIn} onChange={setKeepSignedIn}>
        {t('keep')}
      </Checkbox>
      <Button type="submit" look="primary" wide isPending={isRunning || seconds > 0}>
        {t('sign_in')}
      </Button>
      <p role="timer" className={styles.wait}>
        {seconds > 0 && t('wait', { time: formatClock(seconds) })}
      </p>
    </Form>
  );
}
