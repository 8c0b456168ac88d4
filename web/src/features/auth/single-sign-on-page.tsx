import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { api, isApiError } from '../../lib/api.ts';
import { fieldProblem, useProblem } from '../../lib/problem.ts';
import { session, useSession } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { authMessages } from './messages.ts';
import { CodeField } from './password-field.tsx';
import { PublicPage } from './public-page.tsx';
import { takeReturnPath, wasToKeep } from './single-sign-on.ts';
import { singleSignOnMessages } from './single-sign-on-messages.ts';

/** Where the identity provider sends the browser back: finishes the sign-in, or says why not. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function SingleSignOnPage() {
  const t = useTexts(singleSignOnMessages);
  const auth = useTexts(authMessages);
  const problem = useProblem();
  const [, navigate] = useLocation();
  const { state } = useSession();
  const [query] = useState(() => location.search.slice(1));
  const [otp, setOtp] = useState('');
  const [needsCode, setNeedsCode] = useState(false);
  const begun = useRef(false);

  const { run, isRunning, error } = useAction(async () => {
    try {
      const body = { query, keep_signed_in: wasToKeep(), ...(otp !== '' && { otp: otp.trim() }) };
      const { data } = await api.post('/api/auth/browser/single-sign-on/finish', { body });
      session.enter({ token: data.token, account: data.user }, wasToKeep());
      navigate(takeReturnPath(), { replace: true });
    } catch (failure) {
      if (!isApiError(failure, 'OTP_REQUIRED')) throw failure;
      setNeedsCode(true);
    }
  });

  // After an older sign-in has been restored or has ended, which could replace this one.
  useEffect(() => {
    if (state === 'starting' || begun.current) return;
    begun.current = true;
    history.replaceState(history.state, '', location.pathname); // the code does not stay in the address
    if (query !== '') void run();
  });

  const wrongCode = fieldProblem(error, 'otp');
  if (needsCode && (error === undefined || wrongCode !== undefined))
    return (
      <PublicPage title={t('code_title')} links={['signIn']}>
        <Form className="stack" onSave={() => void run()}>
          <CodeField
            label={auth('code')}
            hint={auth('code_hint')}
            value={otp}
            onChange={setOtp}
            autoFocus
            error={wrongCode}
          />
          <Button type="submit" look="primary" wide isPending={isRunning} isDisabled={otp === ''}>
            {auth('sign_in')}
          </Button>
        </Form>
      </PublicPage>
    );
  if (query !== '' && error === undefined)
    return (
      <PublicPage title={t('working')} links={[]}>
        {null}
      </PublicPage>
    );
  return (
    <PublicPage title={t('failed')} links={['signIn', 'contact']}>
      <Notice kind="error">{error === undefined ? t('missing') : problem(error)}</Notice>
    </PublicPage>
  );
}
