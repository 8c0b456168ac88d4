import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { formatClock } from '../../lib/format.ts';
import { areFieldErrors, fieldProblem, useProblem } from '../../lib/problem.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { useCountdown } from '../../lib/use-countdown.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from './auth.module.css';
import { linkMessages } from './link-messages.ts';
import { authMessages } from './messages.ts';
import { PublicPage } from './public-page.tsx';

/** Requests a reset link; the page shows the same for every address. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function ForgotPasswordPage() {
  const t = useTexts(linkMessages);
  const auth = useTexts(authMessages);
  const problem = useProblem();
  const [email, setEmail] = useState('');
  const { run, isRunning, isDone, error } = useAction(() =>
    api.post('/api/auth/forgot-password', { body: { email: email.trim() } }),
  );
  const seconds = useCountdown(error);

  function submit(): void {
    if (seconds === 0) void run();
  }
  if (isDone)
    return (
      <PublicPage title={auth('forgot')} links={['signIn', 'contact']}>
        <Notice kind="success">{t('asked')}</Notice>
        <p>{t('no_mail')}</p>
      </PublicPage>
    );
  return (
    <PublicPage title={auth('forgot')} intro={t('forgot_how')} links={['signIn', 'contact']}>
      <Form className="stack" onSave={submit}>
        {error !== undefined && !areFieldErrors(error, ['email']) && (
          <Notice kind="error">{problem(error, true)}</Notice>
        )}
        <Field
          label={t('email')}
          type="email"
          value={email}
          onChange={setEmail}
          autoComplete="email"
          maxLength={254}
          autoFocus
          error={fieldProblem(error, 'email')}
        />
        <Button type="submit" look="primary" wide isPending={isRunning || seconds > 0} isDisabled={email.trim() === ''}>
          {t('send')}
        </Button>
        <p role="timer" className={styles.wait}>
          {seconds > 0 && auth('wait', { time: formatClock(seconds) })}
        </p>
      </Form>
    </PublicPage>
  );
}
